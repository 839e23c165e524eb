// Made from intentd.mjs by types.py.
/**
 * The place where the daemon listens: the rule of docs/PROTOCOL.md.
 * @param {Record<string, string | undefined>} environment
 */
export function socketPath(environment?: Record<string, string | undefined>): string;
/**
 * The session that this program runs in, for `session` of `surfaceAttach`; `undefined` without a
 * screen, as over a network.
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string> | undefined}
 */
export function sessionVariables(environment?: Record<string, string | undefined>): Record<string, string> | undefined;
/**
 * Returns a line of a widget as it reads now: a live date in words, a text unchanged.
 *
 * Of text in runs it is the text without the styles. The words are those of `intent-send`:
 * `in 5 min`, `2 h ago`, `04:59`, `+3 d`.
 * @param {Line} line
 * @param {Date} [now]
 */
export function liveText(line: Line, now?: Date | undefined): string;
/**
 * Returns in how many milliseconds a live date anywhere in `value` reads differently.
 *
 * `value` is a widget, a list of them, or a part of one. `undefined`: it has no live date.
 * @param {unknown} value
 * @param {Date} [now]
 * @returns {number | undefined}
 */
export function millisecondsToTick(value: unknown, now?: Date | undefined): number | undefined;
/**
 * Returns the lines of a `title`, `text` or `short`, as they read now.
 * @param {unknown} text
 * @param {Date} [now]
 * @returns {string[]}
 */
export function textLines(text: unknown, now?: Date | undefined): string[];
/**
 * Returns a widget as a bar shows it: `short`, else `title: text`, else its name.
 * @param {Pick<Widget, 'name' | 'entry'>} widget
 * @param {Date} [now]
 */
export function oneLine(widget: Pick<Widget, 'name' | 'entry'>, now?: Date | undefined): string;
/**
 * Returns a text from others on one line, without what steers a terminal or hides in it.
 *
 * A line break or a tab becomes a space, another control character visible (`\x1B`); characters
 * without a shape go, but for the joiners that emoji and some scripts need.
 * @param {string} text
 */
export function printable(text: string): string;
/** The version of the protocol that this file speaks; `daemonStatus()` tells the daemon's. */
export const PROTOCOL: 1;
/** Bytes in one line to the daemon, without its newline. The daemon refuses longer ones. */
export const REQUEST_BYTES_MAX: 4194304;
/** Bytes in one line from the daemon. It never queues that much: a longer one is not its own. */
export const ANSWER_BYTES_MAX: 67108864;
/** The usual wait for an answer, in milliseconds: a provider usually has 30 seconds. */
export const TIMEOUT: 35000;
/** The first pause between two attempts to connect, in milliseconds. Each attempt doubles it. */
export const RECONNECT_MIN: 100;
/** The longest pause between two attempts to connect, in milliseconds. */
export const RECONNECT_MAX: 5000;
/** Taps that an app did not take yet; beyond it the oldest is dropped. */
export const OPENED_KEPT_MAX: 1024;
/** Anything that keeps a request from its result. */
export class IntentdError extends Error {
    get name(): string;
}
/** The daemon did not get the request, so nothing was done: it may be sent again. */
export class NotSent extends IntentdError {
}
/** Nothing listens on the socket. */
export class NoDaemon extends NotSent {
}
/** The socket or its folder belongs to somebody else. */
export class UnsafeSocket extends NotSent {
}
/** The request has more bytes than a line of the protocol may have. */
export class RequestTooLarge extends NotSent {
}
/** The daemon is there and reads nothing: the request could not be written in time. */
export class NotRead extends NotSent {
}
/**
 * The daemon got the request and did not answer: it may or may not have been carried out.
 *
 * This client never sends such a request again; look first, then decide.
 */
export class Unanswered extends IntentdError {
}
/** The connection ended before the answer. */
export class ConnectionLost extends Unanswered {
}
/** No answer came in time. The request may still take effect. */
export class AnswerTimeout extends Unanswered {
}
/** This client was closed. */
export class Closed extends IntentdError {
}
/** The codes of `Refused`; docs/PROTOCOL.md explains each. */
export const ErrorCode: Readonly<{
    parseError: -32700;
    invalidRequest: -32600;
    methodNotFound: -32601;
    invalidParams: -32602;
    internalError: -32603;
    frameTooLarge: -32000;
    queueFull: -32001;
    tooManyConnections: -32002;
    tooManyWaiting: -32003;
    tooMuchMemory: -32004;
    lineUnfinished: -32005;
    noMatch: -32010;
    unknownIntent: -32011;
    invalidParameter: -32012;
    invalidURL: -32013;
    schemeDenied: -32014;
    noRoute: -32015;
    unknownList: -32016;
    linkRefused: -32017;
    callbackDenied: -32018;
    unsupportedVerb: -32019;
    unknownWidget: -32020;
    unknownKind: -32021;
    unsupportedFamily: -32022;
    limitReached: -32023;
    invalidTimeline: -32024;
    unknownReceipt: -32025;
    widgetExists: -32026;
    nothingToUndo: -32027;
    widgetDamaged: -32028;
    unknownImage: -32029;
    nothingToOpen: -32030;
    launchFailed: -32031;
    entryChanged: -32032;
    foreignWidget: -32033;
    unclearPerformer: -32034;
    sessionLocked: -32035;
    storeUnavailable: -32040;
    configurationInvalid: -32041;
    stopping: -32042;
    keyReused: -32043;
    alreadyDone: -32044;
    unsupportedMode: -32050;
    unknownSurface: -32051;
}>;
/** The daemon refused the request. */
export class Refused extends IntentdError {
    /**
     * @param {{ code?: unknown, message?: unknown, data?: unknown }} error
     * @param {string} method
     */
    constructor(error: {
        code?: unknown;
        message?: unknown;
        data?: unknown;
    }, method: string);
    /** One of `ErrorCode`, or the code of a newer daemon. */
    code: number;
    /**
     * What a program needs to react, such as `suggestions`.
     * @type {Record<string, any>}
     */
    data: Record<string, any>;
    method: string;
    /** The error's name in docs/PROTOCOL.md, such as `unknownWidget`; empty if it has none. */
    get codeName(): string;
    /** What was perhaps meant. */
    get suggestions(): string[];
    /**
     * What was meant without doubt: the sentence of a `noMatch`, or a value, one slip mended.
     * @returns {string | undefined}
     */
    get meant(): string | undefined;
}
/**
 * This program as a host app. Iterate to get its taps, over restarts of the daemon.
 * @extends {Sequence<Opened>}
 */
export class App extends Sequence<Opened> {
    params: {
        app: string;
        foreground?: boolean | undefined;
    };
    /**
     * The daemon's answer to the registration, at the last connection.
     * @type {Registered}
     */
    answer: Registered;
    /** The kinds whose manifest names this app. */
    get kinds(): string[];
    /** The app's widgets with their configurations, as far as the daemon has said. */
    get widgets(): AppWidget[];
    /** False when the daemon said that there are others than `widgets`: see `widgetList`. */
    get knowsAllWidgets(): boolean;
    /** The folders that the app shares with its widgets, by the names of their groups. */
    get groups(): Record<string, string>;
    #private;
}
/**
 * Widgets to show. Iterate to get all of them at once, and again after each change.
 *
 * Changes that come while you draw are told together. A restart of the daemon is no change.
 * @extends {Sequence<Widget[]>}
 */
export class Surface extends Sequence<Widget[]> {
    /** The id of the surface, for `stackOrder({ surface })`; another one after a reconnect. */
    id: string;
    params: {
        families?: string[] | undefined;
        visible?: boolean | undefined;
        widgets?: string[] | undefined;
        stack?: boolean | undefined;
        locale?: string | undefined;
        textSize?: string | undefined;
        profile?: string | undefined;
        displaySizes?: Record<string, {
            width: number;
            height: number;
        }> | undefined;
        modes?: Record<string, {
            width: number;
            height: number;
        }> | undefined;
        widgetModes?: Record<string, Record<string, {
            width: number;
            height: number;
        }>> | undefined;
        entryPoint?: string | undefined;
        screen?: string | undefined;
        orientation?: string | undefined;
        configuration?: boolean | undefined;
        questions?: boolean | undefined;
        session?: boolean | Record<string, string> | undefined;
        appearance?: "dark" | "light" | undefined;
    };
    /**
     * What the surface shows, in order, as far as the daemon has said.
     * @returns {Widget[]}
     */
    get widgets(): Widget[];
    #private;
}
/**
 * A connection to the daemon.
 *
 * Connects at the first request, and again when the daemon came back: by itself after
 * `appRegister`, `surfaceAttach` or `on`, otherwise at the next request. A client that waits for
 * nothing does not keep the process alive.
 *
 * Each method of docs/PROTOCOL.md is here: `widget.push` there is `widgetPush` here. It takes the
 * parameters of the wire as one object, and how long to wait as another. It resolves to the result
 * as the wire has it, and rejects with an `IntentdError`.
 *
 * Events: `app.open`, `app.widgetsChanged`, `surface.update`, `receipt.update`,
 * `configuration.update` and `intent.question`, each with its parameters; `connected`; `disconnected` with the reason.
 */
export class Client extends EventEmitter {
    /**
     * @param {object} [options]
     * @param {string} [options.path] the socket, if it is not the usual one
     * @param {number} [options.timeout] milliseconds to wait for an answer
     * @param {number} [options.connectWithin] milliseconds for which a request waits for a daemon
     */
    constructor(options?: {
        path?: string | undefined;
        timeout?: number | undefined;
        connectWithin?: number | undefined;
    } | undefined);
    path: string;
    timeout: number;
    connectWithin: number;
    /** Connects now. Rejects with `NoDaemon` or `UnsafeSocket`. */
    connect(): Promise<Client>;
    /** Ends the connection and every iteration; requests under way reject with `ConnectionLost`. */
    close(): void;
    /**
     * Makes any request, such as one that is newer than this file.
     * @param {string} method
     * @param {object} [params]
     * @param {Options} [options]
     * @returns {Promise<any>}
     */
    call(method: string, params?: object | undefined, options?: Options | undefined): Promise<any>;
    /**
     * Does an intent: a sentence (`text`), an `intent` with `parameters`, or a `url`.
     *
     * With `wait` the result has the entry. If it has `needs`, answer with its `token` as `resume`,
     * and a `choice`. With `ask` a choice that is a slip of a value is refused, and the error's
     * `meant` is that value. A sentence that is nearly one is done where there is no doubt
     * (`understood`), unless it is `strict`.
     * @param {{ text?: string, intent?: string, parameters?: object, url?: string, wait?: boolean,
     *   language?: string, languages?: string[], context?: object, source?: string,
     *   resume?: string, choice?: any, ask?: boolean, activationToken?: string,
     *   strict?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<Sent>}
     */
    intentSend(params: {
        text?: string;
        intent?: string;
        parameters?: object;
        url?: string;
        wait?: boolean;
        language?: string;
        languages?: string[];
        context?: object;
        source?: string;
        resume?: string;
        choice?: any;
        ask?: boolean;
        activationToken?: string;
        strict?: boolean;
    }, options?: Options | undefined): Promise<Sent>;
    /**
     * Says what `intentSend` would do with a sentence.
     * @param {{ text: string, language?: string, languages?: string[], context?: object,
     *   spans?: boolean, strict?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<Record<string, any>>}
     */
    intentRecognize(params: {
        text: string;
        language?: string;
        languages?: string[];
        context?: object;
        spans?: boolean;
        strict?: boolean;
    }, options?: Options | undefined): Promise<Record<string, any>>;
    /**
     * Finds the sentences that begin as a text does, best first: at most `limit`, or five.
     *
     * Nothing is done or learned, so it may be asked at every key that a person types. With `content`
     * each says what its widget shows now.
     * @param {{ text: string, language?: string, languages?: string[], context?: object,
     *   limit?: number, strict?: boolean, content?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ completions: Record<string, any>[] }>}
     */
    intentComplete(params: {
        text: string;
        language?: string;
        languages?: string[];
        context?: object;
        limit?: number;
        strict?: boolean;
        content?: boolean;
    }, options?: Options | undefined): Promise<{
        completions: Record<string, any>[];
    }>;
    /**
     * Records that the person did an intent in your app.
     * @param {{ intent: string, parameters?: object, date?: WireDate, source?: string }} params
     * @param {Options} [options]
     * @returns {Promise<Record<string, any>>}
     */
    intentDonate(params: {
        intent: string;
        parameters?: object;
        date?: WireDate;
        source?: string;
    }, options?: Options | undefined): Promise<Record<string, any>>;
    /**
     * Lists the intents, and the languages that have sentences.
     * @param {{ language?: string, languages?: string[] }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ intents: Record<string, any>[], languages: string[] }>}
     */
    intentList(params?: {
        language?: string | undefined;
        languages?: string[] | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        intents: Record<string, any>[];
        languages: string[];
    }>;
    /**
     * Replaces the values of a list, or adds some and removes others.
     * @param {{ name: string, values?: (string | { in: string, out: any })[],
     *   add?: (string | { in: string, out: any })[], remove?: string[] }} params
     * @param {Options} [options]
     * @returns {Promise<{ name: string, count: number }>}
     */
    intentSetList(params: {
        name: string;
        values?: (string | {
            in: string;
            out: any;
        })[];
        add?: (string | {
            in: string;
            out: any;
        })[];
        remove?: string[];
    }, options?: Options | undefined): Promise<{
        name: string;
        count: number;
    }>;
    /**
     * Forgets what the person did, as far as all conditions hold.
     * @param {{ intent?: string, kind?: string, since?: WireDate, all?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ forgotten: number, donations: number }>}
     */
    donationForget(params: {
        intent?: string;
        kind?: string;
        since?: WireDate;
        all?: boolean;
    }, options?: Options | undefined): Promise<{
        forgotten: number;
        donations: number;
    }>;
    /**
     * Turns private mode on or off.
     * @param {{ on?: boolean }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ private: boolean }>}
     */
    donationSetPrivate(params?: {
        on?: boolean | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        private: boolean;
    }>;
    /**
     * Opens a URL: a route of an intent, or an `x-callback-url` for the app `app`.
     * @param {{ url: string, wait?: boolean, app?: string, source?: string,
     *   activationToken?: string }} params
     * @param {Options} [options]
     * @returns {Promise<Sent>}
     */
    urlOpen(params: {
        url: string;
        wait?: boolean;
        app?: string;
        source?: string;
        activationToken?: string;
    }, options?: Options | undefined): Promise<Sent>;
    /**
     * Lists the kinds of widgets, with the texts in the first of `languages` that they have; with
     * `previews` each has how it looks, as `preview`.
     * @param {{ kind?: string, previews?: boolean, family?: string, language?: string,
     *   languages?: string[] }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ kinds: Record<string, any>[] }>}
     */
    galleryList(params?: {
        kind?: string;
        previews?: boolean;
        family?: string;
        language?: string;
        languages?: string[] | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        kinds: Record<string, any>[];
    }>;
    /**
     * Lists the placed widgets and suggestions: compact, or as `mode` says, or in the mode chosen for
     * the surface called `name`.
     * @param {{ kind?: string, language?: string, languages?: string[],
     *   mode?: 'compact' | 'expanded', name?: string }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ widgets: Widget[] }>}
     */
    widgetList(params?: {
        kind?: string | undefined;
        language?: string | undefined;
        languages?: string[] | undefined;
        mode?: "compact" | "expanded" | undefined;
        name?: string | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        widgets: Widget[];
    }>;
    /**
     * Places a widget; the receipt is that of its first load.
     *
     * With `wait` it has been loaded. With `ask` the result may have `needs` instead, a question
     * about its parameters: answer with `intentSend({ resume, choice })`.
     * @template {boolean} [A=false]
     * @param {{ kind: string, family?: string, parameters?: object, id?: string, ask?: A,
     *   wait?: boolean, language?: string, languages?: string[] }} params
     * @param {Options} [options]
     * @returns {Promise<A extends false ? Placed : Placed | Asked>}
     */
    widgetAdd<A extends boolean = false>(params: {
        kind: string;
        family?: string | undefined;
        parameters?: object | undefined;
        id?: string | undefined;
        ask?: A | undefined;
        wait?: boolean | undefined;
        language?: string | undefined;
        languages?: string[] | undefined;
    }, options?: Options | undefined): Promise<A extends false ? Placed : Placed | Asked>;
    /**
     * Changes a widget's family, parameters, or its own reload rules.
     *
     * `ask` and `wait` are as in `widgetAdd`. New rules alone have no receipt.
     * @template {boolean} [A=false]
     * @param {{ id: string, family?: string, parameters?: object, reload?: object, ask?: A,
     *   wait?: boolean, language?: string, languages?: string[] }} params
     * @param {Options} [options]
     * @returns {Promise<A extends false ? { widget: Widget, receipt?: Receipt, needs?: undefined }
     *   : { widget: Widget, receipt?: Receipt, needs?: undefined } | Asked>}
     */
    widgetConfigure<A_1 extends boolean = false>(params: {
        id: string;
        family?: string | undefined;
        parameters?: object | undefined;
        reload?: object | undefined;
        ask?: A_1 | undefined;
        wait?: boolean | undefined;
        language?: string | undefined;
        languages?: string[] | undefined;
    }, options?: Options | undefined): Promise<A_1 extends false ? {
        widget: Widget;
        receipt?: Receipt | undefined;
        needs?: undefined;
    } : Asked | {
        widget: Widget;
        receipt?: Receipt | undefined;
        needs?: undefined;
    }>;
    /**
     * Shows a widget `expanded` or `compact` on surfaces that have room for it: those of this `name`,
     * this `surface` of this client, or all that show it.
     *
     * There is a `receipt` only if nothing was made for the mode yet; with `wait` it has ended.
     * @param {{ id: string, mode: 'compact' | 'expanded', name?: string, surface?: string,
     *   wait?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ widget: Widget, surfaces: string[], receipt?: Receipt }>}
     */
    widgetSetMode(params: {
        id: string;
        mode: 'compact' | 'expanded';
        name?: string;
        surface?: string;
        wait?: boolean;
    }, options?: Options | undefined): Promise<{
        widget: Widget;
        surfaces: string[];
        receipt?: Receipt;
    }>;
    /**
     * Takes the widget `id` away, or all of `ids`; `widgetRestore` brings them back.
     * @template {{ id?: string, ids?: string[] }} P
     * @param {P & { id?: string, ids?: string[] }} params
     * @param {Options} [options]
     * @returns {Promise<{ removed: P extends { ids: string[] } ? string[] : string }>}
     */
    widgetRemove<P extends {
        id?: string | undefined;
        ids?: string[] | undefined;
    }>(params: P & {
        id?: string | undefined;
        ids?: string[] | undefined;
    }, options?: Options | undefined): Promise<{
        removed: P extends {
            ids: string[];
        } ? string[] : string;
    }>;
    /**
     * Undoes the latest removal or dismissal of the last ten minutes; `renamed` maps old ids to new.
     * @param {{}} [params]
     * @param {Options} [options]
     * @returns {Promise<{ undone: 'removed' | 'dismissed', widgets: string[],
     *   renamed?: Record<string, string> }>}
     */
    widgetRestore(params?: {} | undefined, options?: Options | undefined): Promise<{
        undone: 'removed' | 'dismissed';
        widgets: string[];
        renamed?: Record<string, string>;
    }>;
    /**
     * Asks for new timelines; with `wait` the receipts say what became of each reload.
     * @param {{ kind?: string, id?: string, wait?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ receipts: Receipt[] }>}
     */
    widgetReload(params: {
        kind?: string;
        id?: string;
        wait?: boolean;
    }, options?: Options | undefined): Promise<{
        receipts: Receipt[];
    }>;
    /**
     * Asks for new timelines of every widget; of a registered app, of its own widgets. With
     * `program`, a kind, only of the kinds that share its program.
     * @param {{ program?: string, wait?: boolean }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ receipts: Receipt[] }>}
     */
    widgetReloadAll(params?: {
        program?: string | undefined;
        wait?: boolean | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        receipts: Receipt[];
    }>;
    /**
     * Runs the widgets whose manifests name a signal, from 1 to 30: 8 is what pkill -RTMIN+8 is to
     * a bar.
     * @param {{ signal: number, wait?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ receipts: Receipt[] }>}
     */
    widgetSignal(params: {
        signal: number;
        wait?: boolean;
    }, options?: Options | undefined): Promise<{
        receipts: Receipt[];
    }>;
    /**
     * Returns a picture that the content of a widget names; `data` has its bytes in Base64.
     * @param {{ hash: string }} params
     * @param {Options} [options]
     * @returns {Promise<{ hash: string, type: string, width: number, height: number,
     *   data: string }>}
     */
    imageGet(params: {
        hash: string;
    }, options?: Options | undefined): Promise<{
        hash: string;
        type: string;
        width: number;
        height: number;
        data: string;
    }>;
    /**
     * Hands over a timeline for a widget, without any run of its provider.
     * @param {{ id: string, timeline: Timeline }} params
     * @param {Options} [options]
     * @returns {Promise<{ receipt: Receipt, warnings: string[] }>}
     */
    widgetPush(params: {
        id: string;
        timeline: Timeline;
    }, options?: Options | undefined): Promise<{
        receipt: Receipt;
        warnings: string[];
    }>;
    /**
     * Returns a receipt; with `wait`, once the reload has ended or was deferred.
     * @param {{ id: string, wait?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<{ receipt: Receipt }>}
     */
    widgetReceipt(params: {
        id: string;
        wait?: boolean;
    }, options?: Options | undefined): Promise<{
        receipt: Receipt;
    }>;
    /**
     * Returns the timeline of a widget in one mode, as `widgetList` takes it.
     * @param {{ id: string, mode?: 'compact' | 'expanded', name?: string }} params
     * @param {Options} [options]
     * @returns {Promise<Record<string, any>>}
     */
    widgetTimeline(params: {
        id: string;
        mode?: 'compact' | 'expanded';
        name?: string;
    }, options?: Options | undefined): Promise<Record<string, any>>;
    /**
     * Says what a widget may still spend, and what it spent, in one `mode`.
     * @param {{ id: string, mode?: 'compact' | 'expanded' }} params
     * @param {Options} [options]
     * @returns {Promise<Record<string, any>>}
     */
    widgetBudget(params: {
        id: string;
        mode?: 'compact' | 'expanded';
    }, options?: Options | undefined): Promise<Record<string, any>>;
    /**
     * Does what a tap of the person on a widget, or on one of its items, does.
     * The items are those of the mode in which it was read, by `mode` or `name`.
     * With the `revision` that the person saw nothing is done when the widget shows something else by
     * now: `ErrorCode.entryChanged`.
     * @param {{ id: string, item?: number | number[], button?: number,
     *   modifiers?: ('shift' | 'control' | 'alt' | 'super')[], position?: Record<string, number>,
     *   revision?: number, mode?: 'compact' | 'expanded', name?: string,
     *   activationToken?: string }} params
     * @param {Options} [options]
     * An item's intent may ask something first: then the answer has only `needs`.
     * @returns {Promise<{ opened?: 'app' | 'desktop' | 'program' | 'intent' | 'nothing',
     *   application?: string, program?: string, wrote?: boolean, url?: string, pid?: number,
     *   unit?: string, values?: Record<string, string | number | boolean>, receipt?: Receipt,
     *   intent?: Intent, widgets?: Record<string, any>[], needs?: Needs }>}
     */
    widgetTap(params: {
        id: string;
        item?: number | number[];
        button?: number;
        modifiers?: ('shift' | 'control' | 'alt' | 'super')[];
        position?: Record<string, number>;
        revision?: number;
        mode?: 'compact' | 'expanded';
        name?: string;
        activationToken?: string;
    }, options?: Options | undefined): Promise<{
        opened?: 'app' | 'desktop' | 'program' | 'intent' | 'nothing';
        application?: string;
        program?: string;
        wrote?: boolean;
        url?: string;
        pid?: number;
        unit?: string;
        values?: Record<string, string | number | boolean>;
        receipt?: Receipt;
        intent?: Intent;
        widgets?: Record<string, any>[];
        needs?: Needs;
    }>;
    /**
     * Returns a widget for a menu of its items, after its script has run if it wants to.
     * When `run` is 'failed' or 'late', the items are the last ones.
     * @param {{ id: string, mode?: 'compact' | 'expanded', name?: string }} params
     * @param {Options} [options]
     * @returns {Promise<{ widget: Widget, run: 'none' | 'done' | 'failed' | 'late' }>}
     */
    widgetOpenMenu(params: {
        id: string;
        mode?: 'compact' | 'expanded';
        name?: string;
    }, options?: Options | undefined): Promise<{
        widget: Widget;
        run: 'none' | 'done' | 'failed' | 'late';
    }>;
    /**
     * Returns the widgets, the most relevant first; with `ids` only their ids.
     * @param {{ surface?: string, limit?: number, ids?: boolean, at?: WireDate,
     *   language?: string, languages?: string[] }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ widgets?: Widget[], ids?: string[] }>}
     */
    stackOrder(params?: {
        surface?: string | undefined;
        limit?: number | undefined;
        ids?: boolean | undefined;
        at?: WireDate | undefined;
        language?: string | undefined;
        languages?: string[] | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        widgets?: Widget[];
        ids?: string[];
    }>;
    /**
     * Returns the stack with the reasons for each place.
     * @param {{ id?: string, surface?: string, limit?: number, at?: WireDate,
     *   language?: string, languages?: string[] }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ widgets: Record<string, any>[] }>}
     */
    stackExplain(params?: {
        id?: string | undefined;
        surface?: string | undefined;
        limit?: number | undefined;
        at?: WireDate | undefined;
        language?: string | undefined;
        languages?: string[] | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        widgets: Record<string, any>[];
    }>;
    /**
     * Sends a widget away, as the person did; `widgetRestore` undoes it.
     * @param {{ id: string }} params
     * @param {Options} [options]
     * @returns {Promise<{ dismissed: string }>}
     */
    stackDismiss(params: {
        id: string;
    }, options?: Options | undefined): Promise<{
        dismissed: string;
    }>;
    /**
     * Says how well the order foresaw what the person did.
     * @param {{ limit?: number }} [params]
     * @param {Options} [options]
     * @returns {Promise<Record<string, any>>}
     */
    stackReplay(params?: {
        limit?: number | undefined;
    } | undefined, options?: Options | undefined): Promise<Record<string, any>>;
    /**
     * Makes this connection a surface, now and after a reconnect.
     *
     * With `configuration` it also hears of each new configuration: the event `configuration.update`;
     * with `questions` of links that want a yes: the event `intent.question`. With `session` the
     * person's scripts get the variables of this session: `true` for those of this program, or an
     * object. `appearance` tells scripts whether it is dark here.
     *
     * With `add` it is one more surface of this client; otherwise it takes the place of the one whose
     * id is `surface`, or of the first.
     * @param {SurfaceParams} [params]
     * @param {Options} [options]
     * @returns {Promise<Surface>}
     */
    surfaceAttach(params?: SurfaceParams | undefined, options?: Options | undefined): Promise<Surface>;
    /**
     * Says whether the person can see this surface, now and after a reconnect; without `surface`, an
     * id, all surfaces of this client.
     * @param {{ visible: boolean, surface?: string }} params
     * @param {Options} [options]
     * @returns {Promise<{}>}
     */
    surfaceVisibility(params: {
        visible: boolean;
        surface?: string | undefined;
    }, options?: Options | undefined): Promise<{}>;
    /**
     * Ends the surface with this id, or all surfaces of this client.
     * @param {{ surface?: string }} [params]
     * @param {Options} [options]
     * @returns {Promise<{}>}
     */
    surfaceDetach(params?: {
        surface?: string | undefined;
    } | undefined, options?: Options | undefined): Promise<{}>;
    /**
     * Turns the stacks of this client, that of one surface, or those with a name; `by` is 1 if left
     * out.
     * @param {{ by?: number, name?: string, surface?: string }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ surfaces: number }>}
     */
    surfaceRotate(params?: {
        by?: number | undefined;
        name?: string | undefined;
        surface?: string | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        surfaces: number;
    }>;
    /**
     * Makes this connection the app `app`, now and after a reconnect.
     * @param {{ app: string, foreground?: boolean }} params
     * @param {Options} [options]
     * @returns {Promise<App>}
     */
    appRegister(params: {
        app: string;
        foreground?: boolean;
    }, options?: Options | undefined): Promise<App>;
    /**
     * Says where this app is, now and after a reconnect.
     * @param {{ state: 'foreground' | 'background' }} params
     * @param {Options} [options]
     * @returns {Promise<{}>}
     */
    appState(params: {
        state: 'foreground' | 'background';
    }, options?: Options | undefined): Promise<{}>;
    /**
     * Resolves when the daemon has answered.
     * @param {{}} [params]
     * @param {Options} [options]
     * @returns {Promise<{}>}
     */
    daemonPing(params?: {} | undefined, options?: Options | undefined): Promise<{}>;
    /**
     * Returns versions, counts and the mistakes of the configuration.
     * @param {{}} [params]
     * @param {Options} [options]
     * @returns {Promise<Status>}
     */
    daemonStatus(params?: {} | undefined, options?: Options | undefined): Promise<Status>;
    /**
     * Returns the metrics as OpenMetrics text.
     * @param {{}} [params]
     * @param {Options} [options]
     * @returns {Promise<{ text: string }>}
     */
    daemonMetrics(params?: {} | undefined, options?: Options | undefined): Promise<{
        text: string;
    }>;
    /**
     * Returns the journal, newest first.
     * @param {{ limit?: number, widget?: string }} [params]
     * @param {Options} [options]
     * @returns {Promise<{ entries: Record<string, any>[] }>}
     */
    daemonHistory(params?: {
        limit?: number | undefined;
        widget?: string | undefined;
    } | undefined, options?: Options | undefined): Promise<{
        entries: Record<string, any>[];
    }>;
    /**
     * Reads manifests and intents again, and returns what is wrong with them.
     * @param {{}} [params]
     * @param {Options} [options]
     * @returns {Promise<Configuration>}
     */
    daemonReloadConfiguration(params?: {} | undefined, options?: Options | undefined): Promise<Configuration>;
    #private;
}
/**
 * An RFC 3339 date, or a `Date`.
 */
export type WireDate = string | Date;
export type Intent = {
    name: string;
    parameters: Record<string, any>;
};
/**
 * A date that ticks: see `liveText`.
 */
export type LiveDate = {
    date: string;
    style: string;
};
/**
 * Text in runs of one style each; `liveText` returns it without the styles.
 */
export type StyledLine = {
    runs: {
        [style: string]: any;
        text: string;
    }[];
};
export type Line = string | LiveDate | StyledLine;
export type Text = Line | Line[];
export type Color = string | {
    light: string;
    dark: string;
};
export type Content = {
    [key: string]: any;
    title?: Text | undefined;
    titles?: Line[] | undefined;
    subtitle?: Text | undefined;
    text?: Text | undefined;
    short?: Text | undefined;
    symbol?: string | undefined;
    icon?: string | undefined;
    color?: Color | undefined;
    background?: Color | undefined;
    class?: string[] | undefined;
    percentage?: number | undefined;
    urgent?: boolean | undefined;
    tooltip?: Text | undefined;
    items?: any[] | undefined;
    action?: Record<string, any> | undefined;
    clicks?: Record<string, Record<string, any>> | undefined;
    refresh?: boolean | undefined;
    asOf?: string | undefined;
    staleAfter?: number | undefined;
};
export type Relevance = {
    score: number;
    duration?: number;
};
export type Entry = {
    date: string;
    content: Content;
    url?: string;
    relevance?: Relevance;
};
export type Widget = {
    id: string;
    kind: string;
    name: string;
    family: string;
    suggestion: boolean;
    orphaned: boolean;
    revision: number;
    stale: boolean;
    staleSince?: string;
    intent?: Intent;
    values?: Record<string, string | number | boolean>;
    entry?: Entry;
    masked?: boolean;
    hidden?: "noOutput" | "condition" | "notAsked" | "noData";
    nextReload?: string;
    error?: string;
    stderr?: string;
    held?: string;
    problem?: string;
    quarantinedUntil?: string;
    score?: number;
    mode?: 'compact' | 'expanded';
    modes?: ('compact' | 'expanded')[];
    height?: number;
    maximumSize?: {
        width: number;
        height: number;
    };
};
export type Receipt = {
    id: string;
    widget: string;
    kind: string;
    cause: string;
    requestedAt: string;
    state: 'accepted' | 'done' | 'coalesced' | 'deferred' | 'dropped';
    into?: string;
    until?: string;
    reason?: string;
    stderr?: string;
    noData?: boolean;
    leader?: Record<string, any>;
};
export type Timeline = {
    entries: {
        date: WireDate;
        content: Content;
        url?: string;
        relevance?: Relevance;
    }[];
    policy?: 'atEnd' | 'never' | {
        after: WireDate;
    };
    relevance?: {
        from: WireDate;
        to: WireDate;
        kind?: string;
    }[];
};
/**
 * A question that the daemon asks before it does an intent, or places a widget. Answer with its
 * `token` as `resume` of `intentSend`, and a `choice`.
 */
export type Needs = {
    reason: 'disambiguation' | 'value' | 'confirmation';
    prompt: string;
    intent: Intent;
    parameter?: string;
    type?: string;
    choices?: {
        title: string;
        value: any;
    }[];
    values?: string[];
    valueCount?: number;
    otherValues?: boolean;
    token: string;
};
/**
 * As what a sentence was read that matches nothing as it was said; `confidence` is from 0 to 1.
 */
export type Understood = {
    sentence: string;
    confidence: number;
    changes: {
        said: string;
        taken: string;
        why: string;
    }[];
};
/**
 * What was done, or the question that it `needs` answered first. `cancelled`: the person said no to
 * a confirmation. `widget` and `receipt` are there when the question was that of `widgetAdd` or
 * `widgetConfigure`.
 */
export type Sent = {
    intent?: Intent;
    language?: string;
    fromWidgets?: Record<string, string>;
    cancelled?: boolean;
    widget?: Widget;
    receipt?: Receipt;
    widgets?: {
        id: string;
        kind: string;
        suggestion: boolean;
        receipt: string;
    }[];
    receipts?: Receipt[];
    entry?: Entry;
    stale?: boolean;
    error?: string;
    stderr?: string;
    intents?: any[];
    entries?: any[];
    needs?: Needs;
    understood?: Understood;
    kinds?: string[];
    ignored?: string[];
};
export type Placed = {
    widget: Widget;
    receipt: Receipt;
    needs?: undefined;
};
/**
 * The question about the parameters of a widget, for a client that said `ask`.
 */
export type Asked = {
    needs: Needs;
    language?: string;
    widget?: undefined;
    receipt?: undefined;
};
/**
 * A mistake of the configuration.
 */
export type Issue = {
    severity: 'error' | 'warning';
    file: string;
    line: number;
    message: string;
    expected: string;
};
/**
 * What the daemon has read: counts, and what is wrong with the files.
 */
export type Configuration = {
    kinds: number;
    intents: number;
    languages: string[];
    issues: Issue[];
    revision: number;
};
/**
 * A configuration that took effect. `issues` are the first 20 of `issueCount`.
 */
export type ConfigurationUpdate = Configuration & {
    issueCount: number;
};
/**
 * `newerInstalled`: an upgrade waits for a restart of the daemon.
 */
export type Status = Configuration & {
    protocol: number;
    version: string;
    newerInstalled: boolean;
    pid: number;
    uptime: number;
    now: string;
    widgets: number;
    suggestions: number;
    orphaned: number;
    connections: number;
    surfaces: number;
    running: number;
    overlong: number;
    queued: number;
    watched: number;
    private: boolean;
    donations: number;
    network: 'up' | 'down';
    locked: boolean;
    saving?: ('battery' | 'meteredNetwork')[];
    quarantined: {
        kind: string;
        cause: 'failing' | 'looping';
        reason: string;
        since: string;
        until: string;
    }[];
    failing: {
        id: string;
        kind: string;
        error: string;
        stderr?: string;
        failures: number;
        since?: string;
    }[];
    failingCount: number;
    journal: number;
    flooding?: {
        kind: string;
        count: number;
        since: string;
        floodsSince: string;
    }[];
    store: {
        state: 'ok' | 'failing';
        reason?: string;
        damagedRows?: number;
        damagedWidgets?: string[];
    };
    watchesFiles: boolean;
    folders?: string[];
    supervision?: string[];
    services?: {
        name: string;
        state: 'connected' | 'absent' | 'failing';
        reason?: string;
    }[];
    questions?: Record<string, any>[];
};
/**
 * A widget of the app, without its content; `intent` is its configuration.
 */
export type AppWidget = {
    id: string;
    kind: string;
    family: string;
    intent?: Intent;
    suggestion: boolean;
};
/**
 * What changed of the app's widgets; with `more` others did, too: `widgetList` has all.
 */
export type WidgetsChanged = {
    app: string;
    more?: boolean;
    changes: {
        change: "placed" | "configured" | "moved" | "removed";
        widget: AppWidget;
    }[];
};
/**
 * The answer of `app.register`; `others` are connections that are this app, too. `groups` has the
 * folders that the app shares with its widgets. With `more` it has more widgets than are listed.
 */
export type Registered = {
    app: string;
    kinds: string[];
    widgets: AppWidget[];
    more?: boolean;
    groups?: Record<string, string>;
    others?: {
        pid: number;
        since: string;
        foreground: boolean;
    }[];
    warnings?: string[];
};
/**
 * A tap on one of the app's widgets, or a callback: then `callback` says how it went.
 */
export type Opened = {
    widget?: string;
    kind?: string;
    family?: string;
    url?: string;
    callback?: 'success' | 'error' | 'cancel';
    activationToken?: string;
};
export type SurfaceUpdate = {
    surface: string;
    widgets: Widget[];
    removed?: string[];
    stack?: string[];
};
export type SurfaceParams = {
    families?: string[];
    visible?: boolean;
    widgets?: string[];
    stack?: boolean;
    locale?: string;
    textSize?: string;
    profile?: string;
    displaySizes?: Record<string, {
        width: number;
        height: number;
    }>;
    modes?: Record<string, {
        width: number;
        height: number;
    }>;
    widgetModes?: Record<string, Record<string, {
        width: number;
        height: number;
    }>>;
    entryPoint?: string;
    screen?: string;
    orientation?: string;
    configuration?: boolean;
    questions?: boolean;
    session?: boolean | Record<string, string>;
    appearance?: "dark" | "light";
    name?: string;
    limit?: number;
    wants?: ("items" | "images" | "motion" | "view")[];
    add?: boolean;
    surface?: string;
};
/**
 * How to make one request: milliseconds to wait for the answer, a signal that ends the wait, and an
 * idempotency key, with which a request that is made again takes effect once.
 */
export type Options = {
    timeout?: number;
    signal?: AbortSignal;
    key?: string;
};
/**
 * Something to iterate over that ends with the client, or with an error.
 * @template T
 */
declare class Sequence<T> {
    /**
     * Takes the next item, if it is there.
     * @returns {{ value: T } | undefined}
     */
    take(): {
        value: T;
    } | undefined;
    /** @returns {Promise<IteratorResult<T, undefined>>} */
    next(): Promise<IteratorResult<T, undefined>>;
    /** @returns {AsyncIterableIterator<T>} */
    [Symbol.asyncIterator](): AsyncIterableIterator<T>;
    #private;
}
import { EventEmitter } from "events";
export {};
