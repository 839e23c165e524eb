#!/usr/bin/env node
/**
 * A client of intentd, the widget service. One file, Node 18 or later, no dependencies.
 *
 * Copy the file into your project, and `intentd.d.mts` beside it if you write TypeScript. An app
 * whose data changed:
 *
 *     import { Client } from './intentd.mjs';
 *
 *     const daemon = new Client();
 *     const { receipts } = await daemon.widgetReload({ kind: 'org.example.weather', wait: true });
 *     for (const { widget, state, reason = '' } of receipts) console.log(widget, state, reason);
 *
 * A bar:
 *
 *     import { Client, oneLine } from './intentd.mjs';
 *
 *     for await (const widgets of await new Client().surfaceAttach({ stack: true })) {
 *       console.log(widgets.map((widget) => oneLine(widget)).join(' | '));
 *     }
 *
 * docs/NODE.md explains it, docs/PROTOCOL.md has every method, and `node intentd.mjs` shows the
 * stack of a running daemon.
 *
 * How the file is built: `Core` is the protocol without input and output; `Client` gives it a
 * socket and timers.
 */
import { EventEmitter } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import net from 'node:net';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The version of the protocol that this file speaks; `daemonStatus()` tells the daemon's. */
export const PROTOCOL = 1;
/** Bytes in one line to the daemon, without its newline. The daemon refuses longer ones. */
export const REQUEST_BYTES_MAX = 4_194_304;
/** Bytes in one line from the daemon. It never queues that much: a longer one is not its own. */
export const ANSWER_BYTES_MAX = 67_108_864;
/** The usual wait for an answer, in milliseconds: a provider usually has 30 seconds. */
export const TIMEOUT = 35_000;
/** The first pause between two attempts to connect, in milliseconds. Each attempt doubles it. */
export const RECONNECT_MIN = 100;
/** The longest pause between two attempts to connect, in milliseconds. */
export const RECONNECT_MAX = 5_000;
/** Taps that an app did not take yet; beyond it the oldest is dropped. */
export const OPENED_KEPT_MAX = 1_024;
const PATH_BYTES_MAX = 107;
const EVENTS = ['app.open', 'app.widgetsChanged', 'surface.update', 'receipt.update',
  'configuration.update', 'intent.question', 'connected', 'disconnected'];
const START_IT = 'start it with: systemctl --user start intentd.socket';

// MARK: Errors

/** Anything that keeps a request from its result. */
export class IntentdError extends Error {
  get name() { return this.constructor.name; }
}

/** The daemon did not get the request, so nothing was done: it may be sent again. */
export class NotSent extends IntentdError {}

/** Nothing listens on the socket. */
export class NoDaemon extends NotSent {}

/** The socket or its folder belongs to somebody else. */
export class UnsafeSocket extends NotSent {}

/** The request has more bytes than a line of the protocol may have. */
export class RequestTooLarge extends NotSent {}

/** The daemon is there and reads nothing: the request could not be written in time. */
export class NotRead extends NotSent {}

/**
 * The daemon got the request and did not answer: it may or may not have been carried out.
 *
 * This client never sends such a request again; look first, then decide.
 */
export class Unanswered extends IntentdError {}

/** The connection ended before the answer. */
export class ConnectionLost extends Unanswered {}

/** No answer came in time. The request may still take effect. */
export class AnswerTimeout extends Unanswered {}

/** This client was closed. */
export class Closed extends IntentdError {}

/** The codes of `Refused`; docs/PROTOCOL.md explains each. */
export const ErrorCode = Object.freeze({
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  frameTooLarge: -32000,
  queueFull: -32001,
  tooManyConnections: -32002,
  tooManyWaiting: -32003,
  tooMuchMemory: -32004,
  lineUnfinished: -32005,
  noMatch: -32010,
  unknownIntent: -32011,
  invalidParameter: -32012,
  invalidURL: -32013,
  schemeDenied: -32014,
  noRoute: -32015,
  unknownList: -32016,
  linkRefused: -32017,
  callbackDenied: -32018,
  unsupportedVerb: -32019,
  unknownWidget: -32020,
  unknownKind: -32021,
  unsupportedFamily: -32022,
  limitReached: -32023,
  invalidTimeline: -32024,
  unknownReceipt: -32025,
  widgetExists: -32026,
  nothingToUndo: -32027,
  widgetDamaged: -32028,
  unknownImage: -32029,
  nothingToOpen: -32030,
  launchFailed: -32031,
  entryChanged: -32032,
  foreignWidget: -32033,
  unclearPerformer: -32034,
  sessionLocked: -32035,
  storeUnavailable: -32040,
  configurationInvalid: -32041,
  stopping: -32042,
  keyReused: -32043,
  alreadyDone: -32044,
  unsupportedMode: -32050,
  unknownSurface: -32051,
});

/** The daemon refused the request. */
export class Refused extends IntentdError {
  /**
   * @param {{ code?: unknown, message?: unknown, data?: unknown }} error
   * @param {string} method
   */
  constructor(error, method) {
    super(typeof error.message === 'string' ? error.message : 'refused');
    /** One of `ErrorCode`, or the code of a newer daemon. */
    this.code = typeof error.code === 'number' ? error.code : 0;
    /**
     * What a program needs to react, such as `suggestions`.
     * @type {Record<string, any>}
     */
    this.data = isObject(error.data) ? error.data : {};
    this.method = method;
  }

  /** The error's name in docs/PROTOCOL.md, such as `unknownWidget`; empty if it has none. */
  get codeName() { return typeof this.data.name === 'string' ? this.data.name : ''; }

  /** What was perhaps meant. */
  get suggestions() {
    const { suggestions } = this.data;
    return Array.isArray(suggestions) ? suggestions.filter((one) => typeof one === 'string') : [];
  }

  /**
   * What was meant without doubt: the sentence of a `noMatch`, or a value, one slip mended.
   * @returns {string | undefined}
   */
  get meant() { return typeof this.data.meant === 'string' ? this.data.meant : undefined; }
}

// MARK: Types. The daemon may send more members than these: newer ones add some.

/** @typedef {string | Date} WireDate An RFC 3339 date, or a `Date`. */
/** @typedef {{ name: string, parameters: Record<string, any> }} Intent */
/** @typedef {{ date: string, style: string }} LiveDate A date that ticks: see `liveText`. */
/**
 * Text in runs of one style each; `liveText` returns it without the styles.
 * @typedef {{ runs: { text: string, [style: string]: any }[] }} StyledLine
 */
/** @typedef {string | LiveDate | StyledLine} Line */
/** @typedef {Line | Line[]} Text */
/** @typedef {string | { light: string, dark: string }} Color */
/**
 * @typedef {{ title?: Text, titles?: Line[], subtitle?: Text, text?: Text, short?: Text,
 *   symbol?: string, icon?: string, color?: Color, background?: Color, class?: string[],
 *   percentage?: number, urgent?: boolean, tooltip?: Text, items?: any[],
 *   action?: Record<string, any>, clicks?: Record<string, Record<string, any>>,
 *   refresh?: boolean, asOf?: string, staleAfter?: number, [key: string]: any }} Content
 */
/** @typedef {{ score: number, duration?: number }} Relevance */
/** @typedef {{ date: string, content: Content, url?: string, relevance?: Relevance }} Entry */
/**
 * @typedef {{ id: string, kind: string, name: string, family: string, suggestion: boolean,
 *   orphaned: boolean, revision: number, stale: boolean, staleSince?: string, intent?: Intent,
 *   values?: Record<string, string | number | boolean>, entry?: Entry, masked?: boolean,
 *   hidden?: 'noOutput' | 'condition' | 'notAsked' | 'noData', nextReload?: string,
 *   error?: string, stderr?: string, held?: string, problem?: string, quarantinedUntil?: string,
 *   score?: number, mode?: 'compact' | 'expanded', modes?: ('compact' | 'expanded')[],
 *   height?: number, maximumSize?: { width: number, height: number } }} Widget
 */
/**
 * @typedef {{ id: string, widget: string, kind: string, cause: string, requestedAt: string,
 *   state: 'accepted' | 'done' | 'coalesced' | 'deferred' | 'dropped', into?: string,
 *   until?: string, reason?: string, stderr?: string, noData?: boolean, leader?: Record<string, any> }} Receipt
 */
/**
 * @typedef {{ entries: { date: WireDate, content: Content, url?: string,
 *   relevance?: Relevance }[], policy?: 'atEnd' | 'never' | { after: WireDate },
 *   relevance?: { from: WireDate, to: WireDate, kind?: string }[] }} Timeline
 */
/**
 * A question that the daemon asks before it does an intent, or places a widget. Answer with its
 * `token` as `resume` of `intentSend`, and a `choice`.
 * @typedef {{ reason: 'disambiguation' | 'value' | 'confirmation', prompt: string, intent: Intent,
 *   parameter?: string, type?: string, choices?: { title: string, value: any }[],
 *   values?: string[], valueCount?: number, otherValues?: boolean, token: string }} Needs
 */
/**
 * As what a sentence was read that matches nothing as it was said; `confidence` is from 0 to 1.
 * @typedef {{ sentence: string, confidence: number,
 *   changes: { said: string, taken: string, why: string }[] }} Understood
 */
/**
 * What was done, or the question that it `needs` answered first. `cancelled`: the person said no to
 * a confirmation. `widget` and `receipt` are there when the question was that of `widgetAdd` or
 * `widgetConfigure`.
 * @typedef {{ intent?: Intent, language?: string, fromWidgets?: Record<string, string>,
 *   cancelled?: boolean, widget?: Widget, receipt?: Receipt,
 *   widgets?: { id: string, kind: string, suggestion: boolean, receipt: string }[],
 *   receipts?: Receipt[], entry?: Entry, stale?: boolean, error?: string, stderr?: string,
 *   intents?: any[], entries?: any[], needs?: Needs, understood?: Understood,
 *   kinds?: string[], ignored?: string[] }} Sent
 */
/** @typedef {{ widget: Widget, receipt: Receipt, needs?: undefined }} Placed */
/**
 * The question about the parameters of a widget, for a client that said `ask`.
 * @typedef {{ needs: Needs, language?: string, widget?: undefined, receipt?: undefined }} Asked
 */
/**
 * A mistake of the configuration.
 * @typedef {{ severity: 'error' | 'warning', file: string, line: number, message: string,
 *   expected: string }} Issue
 */
/**
 * What the daemon has read: counts, and what is wrong with the files.
 * @typedef {{ kinds: number, intents: number, languages: string[], issues: Issue[],
 *   revision: number }} Configuration
 */
/**
 * A configuration that took effect. `issues` are the first 20 of `issueCount`.
 * @typedef {Configuration & { issueCount: number }} ConfigurationUpdate
 */
/**
 * `newerInstalled`: an upgrade waits for a restart of the daemon.
 * @typedef {Configuration & { protocol: number, version: string, newerInstalled: boolean,
 *   pid: number, uptime: number, now: string, widgets: number, suggestions: number,
 *   orphaned: number, connections: number, surfaces: number, running: number,
 *   overlong: number, queued: number, watched: number, private: boolean, donations: number, network: 'up' | 'down',
 *   locked: boolean, saving?: ('battery' | 'meteredNetwork')[],
 *   quarantined: { kind: string, cause: 'failing' | 'looping', reason: string, since: string,
 *   until: string }[], failing: { id: string, kind: string, error: string, stderr?: string,
 *   failures: number, since?: string }[], failingCount: number, journal: number,
 *   flooding?: { kind: string, count: number, since: string, floodsSince: string }[],
 *   store: { state: 'ok' | 'failing', reason?: string, damagedRows?: number,
 *     damagedWidgets?: string[] }, watchesFiles: boolean,
 *   folders?: string[], supervision?: string[],
 *   services?: { name: string, state: 'connected' | 'absent' | 'failing', reason?: string }[],
 *   questions?: Record<string, any>[] }} Status
 */
/**
 * A widget of the app, without its content; `intent` is its configuration.
 * @typedef {{ id: string, kind: string, family: string, intent?: Intent, suggestion: boolean
 *   }} AppWidget
 */
/**
 * What changed of the app's widgets; with `more` others did, too: `widgetList` has all.
 * @typedef {{ app: string, more?: boolean,
 *   changes: { change: 'placed' | 'configured' | 'moved' | 'removed', widget: AppWidget }[]
 *   }} WidgetsChanged
 */
/**
 * The answer of `app.register`; `others` are connections that are this app, too. `groups` has the
 * folders that the app shares with its widgets. With `more` it has more widgets than are listed.
 * @typedef {{ app: string, kinds: string[], widgets: AppWidget[], more?: boolean,
 *   groups?: Record<string, string>,
 *   others?: { pid: number, since: string, foreground: boolean }[],
 *   warnings?: string[] }} Registered
 */
/**
 * A tap on one of the app's widgets, or a callback: then `callback` says how it went.
 * @typedef {{ widget?: string, kind?: string, family?: string, url?: string,
 *   callback?: 'success' | 'error' | 'cancel', activationToken?: string }} Opened
 */
/**
 * @typedef {{ surface: string, widgets: Widget[], removed?: string[],
 *   stack?: string[] }} SurfaceUpdate
 */
/**
 * @typedef {{ families?: string[], visible?: boolean, widgets?: string[], stack?: boolean,
 *   locale?: string, textSize?: string, profile?: string,
 *   displaySizes?: Record<string, { width: number, height: number }>,
 *   modes?: Record<string, { width: number, height: number }>,
 *   widgetModes?: Record<string, Record<string, { width: number, height: number }>>,
 *   entryPoint?: string, screen?: string, orientation?: string,
 *   configuration?: boolean, questions?: boolean, session?: boolean | Record<string, string>,
 *   appearance?: 'dark' | 'light', name?: string, limit?: number,
 *   wants?: ('items' | 'images' | 'motion' | 'view')[], add?: boolean, surface?: string }} SurfaceParams
 */
/**
 * How to make one request: milliseconds to wait for the answer, a signal that ends the wait, and an
 * idempotency key, with which a request that is made again takes effect once.
 * @typedef {{ timeout?: number, signal?: AbortSignal, key?: string }} Options
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// MARK: The protocol without input and output

/**
 * A request that was made and has no outcome yet.
 * @internal
 */
class Slot {
  isDone = false;
  /** Whether a part of the line may have been sent. */
  isBegun = false;
  /** Whether the whole line was sent. */
  isSent = false;
  /** Whether the client made it for itself, at the start of a connection. */
  isOpening = false;
  /** How often the connection ended before it was sent. */
  moves = 0;
  /**
   * The refusal after which it waits in `Core.held`.
   * @type {Refused | undefined}
   */
  busy;
  wasAlone = false;

  /**
   * @param {number} number
   * @param {string} method
   * @param {Buffer} line
   * @param {((answer: any) => any) | undefined} accept
   * @param {(error: Error | undefined, result?: any) => void} onDone
   * @param {number} connectUntil when it no longer waits for a connection, by `performance.now`
   */
  constructor(number, method, line, accept, onDone, connectUntil) {
    this.connectUntil = connectUntil;
    this.number = number;
    this.method = method;
    this.line = line;
    this.accept = accept;
    this.onDone = onDone;
  }

  /** @param {Error | undefined} error @param {any} [result] */
  finish(error, result) {
    if (this.isDone) return;
    this.isDone = true;
    this.onDone(error, result);
  }
}

/** The connection is of no more use; the message says why. */
class Broken extends Error {}

/**
 * Requests to lines, lines to answers and notifications; no input, no output, no clock.
 *
 * One connection follows another. What was sent on an old one is never sent again; a line that was
 * not sent moves to the next connection, once.
 * @internal
 */
export class Core {
  isOpen = false;
  /** Whether the daemon has said anything on this connection but that it refuses it. */
  hasHeard = false;
  /**
   * Lines to send, in order.
   * @type {Slot[]}
   */
  queue = [];
  /**
   * Requests of this connection, by id: queued or sent, and not answered.
   * @type {Map<any, Slot>}
   */
  slots = new Map();
  /**
   * Requests that the daemon refused because it was busy with others of this client.
   * @type {Slot[]}
   */
  held = [];
  /**
   * Requests that nobody waits for any more, and whose answer changes what the client is to the
   * daemon: its surface, its app.
   * @type {Map<any, Slot>}
   */
  late = new Map();
  /**
   * Requests that wait for a connection.
   * @type {Slot[]}
   */
  unsent = [];
  /** @type {App | undefined} */
  app;
  /** @type {Surface[]} */
  surfaces = [];
  #lastNumber = 0;
  /** @type {Buffer[]} */
  #partial = [];
  #partialBytes = 0;
  /** @type {Refused | undefined} */
  #refusal;
  #opening = 0;
  /** Whether listeners were told of this connection. */
  #isTold = false;

  /** @param {(event: string, ...values: any[]) => void} tell */
  constructor(tell) { this.tell = tell; }

  // Requests

  /**
   * Puts a request in line. Throws `RequestTooLarge`, or `TypeError` for what is no JSON.
   * @param {string} method
   * @param {object | undefined} params
   * @param {((answer: any) => any) | undefined} accept
   * @param {(error: Error | undefined, result?: any) => void} onDone
   * @param {number} [connectUntil] when it no longer waits for a connection
   * @returns {Slot}
   */
  ask(method, params, accept, onDone, connectUntil = 0) {
    const slot = this.#slot(method, params, accept, onDone, connectUntil);
    if (this.isOpen) this.#enqueue(slot);
    else this.unsent.push(slot);
    return slot;
  }

  /** @type {Core['ask']} */
  #slot(method, params, accept, onDone, connectUntil = 0) {
    this.#lastNumber += 1;
    const message = { jsonrpc: '2.0', id: this.#lastNumber, method, params };
    const line = Buffer.from(JSON.stringify(message, onlyJSON) + '\n');
    if (line.length - 1 > REQUEST_BYTES_MAX) {
      throw new RequestTooLarge(
        `${method}: the request has ${line.length - 1} bytes, and ${REQUEST_BYTES_MAX} are `
        + 'allowed; send less at once');
    }
    return new Slot(this.#lastNumber, method, line, accept, onDone, connectUntil);
  }

  /** @param {Slot} slot */
  #enqueue(slot) {
    slot.isBegun = slot.isSent = false;
    this.slots.set(slot.number, slot);
    this.queue.push(slot);
  }

  /**
   * Ends a request whose time is over.
   * @param {Slot} slot
   * @param {number} milliseconds
   */
  giveUp(slot, milliseconds) {
    const seconds = `${milliseconds / 1000} s`;
    if (remove(this.unsent, slot)) {
      slot.finish(new NoDaemon(
        `${slot.method}: not sent, since there was no daemon for ${seconds}; ${START_IT}`));
    } else if (slot.busy && remove(this.held, slot)) {
      slot.finish(slot.busy);
    } else if (slot.isBegun) {
      this.forget(slot);
      slot.finish(new AnswerTimeout(
        `${slot.method}: no answer in ${seconds}; it may still take effect, so look before you `
        + 'ask again'));
    } else {
      this.forget(slot);
      slot.finish(new NotRead(
        `${slot.method}: not sent, since the daemon has read nothing for ${seconds}; is it `
        + 'stopped? Look at: systemctl --user status intentd'));
    }
  }

  /**
   * Removes a request; if it was sent, its answer will be ignored.
   * @param {Slot} slot
   */
  forget(slot) {
    remove(this.unsent, slot);
    remove(this.held, slot);
    if (!slot.isBegun) remove(this.queue, slot);
    const isUnderWay = this.slots.delete(slot.number);
    if (isUnderWay && slot.isBegun && slot.accept) this.late.set(slot.number, slot);
  }

  /**
   * Ends the requests that waited for a connection until `now`, since there is none.
   * @param {Error} error
   * @param {number} [now]
   */
  failUnsent(error, now = Infinity) {
    const over = this.unsent.filter((slot) => slot.connectUntil <= now);
    this.unsent = this.unsent.filter((slot) => slot.connectUntil > now);
    for (const slot of over) slot.finish(error);
  }

  // Connections

  /** Begins a connection: the app and the surfaces first, then what waits. */
  opened() {
    this.isOpen = true;
    this.hasHeard = false;
    this.#refusal = undefined;
    this.#partial = [];
    this.#partialBytes = 0;
    this.#opening = 0;
    const { app } = this;
    if (app) {
      this.#reopen('app.register', app.params, (answer) => app.registered(answer),
        (error) => this.endApp(error));
    }
    for (const [number, surface] of this.surfaces.entries()) {
      const params = number > 0 ? { ...surface.params, add: true } : surface.params;
      // An id of the connection before may be that of another surface now.
      if (number > 0) surface.id = '';
      this.#reopen('surface.attach', params, (answer) => surface.attached(answer),
        (error) => this.endSurfaces(error, [surface]));
    }
    const waiting = this.unsent;
    this.unsent = [];
    for (const slot of waiting) this.#enqueue(slot);
    this.#welcome();
  }

  /** Tells that the connection began, once the app and the surface are there again. */
  #welcome() {
    if (this.#opening > 0) return;
    this.#isTold = true;
    this.tell('connected');
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {(answer: any) => void} accept
   * @param {(error: Error) => void} onRefused
   */
  #reopen(method, params, accept, onRefused) {
    this.#opening += 1;
    const slot = this.#slot(method, params, accept, (error) => {
      if (error instanceof Refused && error.code === ErrorCode.stopping) {
        throw new Broken(error.message);
      }
      if (error) onRefused(error);
      this.#opening -= 1;
      this.#welcome();
    });
    slot.isOpening = true;
    this.#enqueue(slot);
  }

  /**
   * Ends the connection. What was sent has no answer; what was not sent may be sent yet.
   * @param {string} why
   * @param {boolean} isClosed
   */
  ended(why, isClosed = false) {
    if (!this.isOpen) return;
    this.isOpen = false;
    const lost = [...this.slots.values(), ...this.held];
    const held = new Set(this.held);
    this.slots.clear();
    this.late.clear();
    this.held = [];
    this.queue = [];
    for (const slot of lost) {
      if (slot.isOpening || slot.isDone) continue; // The next connection makes its own.
      if (this.#refusal) {
        slot.finish(this.#refusal);
      } else if (slot.isSent && !held.has(slot)) {
        slot.finish(new ConnectionLost(
          `${slot.method}: the connection ended before the answer (${why}); it may or may not `
          + 'have been done, so look before you ask again'));
      } else if (slot.moves > 0 || isClosed) {
        slot.finish(new NoDaemon(`${slot.method}: not sent; ${why}`));
      } else {
        // A line without its end is no line: the daemon dropped it.
        slot.moves = 1;
        slot.isBegun = slot.isSent = false;
        slot.busy = undefined;
        this.unsent.push(slot);
      }
    }
    if (this.#isTold) {
      this.#isTold = false;
      this.tell('disconnected', why);
    }
  }

  close() {
    this.ended('this program closed it', true);
    this.failUnsent(new Closed('this client was closed'));
    this.endApp();
    this.endSurfaces();
  }

  /** @param {Error} [error] */
  endApp(error) {
    this.app?.end(error);
    this.app = undefined;
  }

  /**
   * Ends these surfaces, or all.
   * @param {Error} [error]
   * @param {Surface[]} [ended]
   */
  endSurfaces(error, ended = this.surfaces) {
    for (const surface of ended) surface.end(error);
    this.surfaces = this.surfaces.filter((surface) => !ended.includes(surface));
  }

  /**
   * The surface with this id, or all.
   * @param {string} [id]
   */
  meantSurfaces(id) {
    return this.surfaces.filter((surface) => id === undefined || surface.id === id);
  }

  // What comes from the daemon

  /**
   * Takes bytes in any split. Throws `Broken` when the daemon cannot have sent them.
   * @param {Buffer} data
   */
  feed(data) {
    let start = 0;
    for (;;) {
      const end = data.indexOf(10, start);
      if (end < 0) {
        this.#partial.push(data.subarray(start));
        this.#partialBytes += data.length - start;
        if (this.#partialBytes > ANSWER_BYTES_MAX) {
          throw new Broken(`a line from it is longer than ${ANSWER_BYTES_MAX} bytes`);
        }
        return;
      }
      const part = data.subarray(start, end);
      const line = this.#partialBytes > 0 ? Buffer.concat([...this.#partial, part]) : part;
      this.#partial = [];
      this.#partialBytes = 0;
      start = end + 1;
      this.#take(line);
    }
  }

  /** @param {Buffer} line */
  #take(line) {
    let message;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line);
      if (text.trim() === '') return;
      message = JSON.parse(text);
    } catch (error) {
      throw new Broken(`a line from it is no JSON: ${/** @type {Error} */ (error).message}`);
    }
    if (!isObject(message) || !['undefined', 'string'].includes(typeof message.method)) {
      throw new Broken('a line from it is no message');
    }
    if (message.method === undefined && (message.id === undefined || message.id === null)) {
      // It concerns the connection; mostly the daemon closes it now.
      this.#refusal = new Refused(message.error ?? {}, '');
      return;
    }
    this.hasHeard = true;
    if (message.method === undefined) this.#answered(message);
    else this.#notified(message.method, message.params ?? {});
  }

  /** @param {Record<string, any>} message */
  #answered(message) {
    const slot = this.slots.get(message.id) ?? this.late.get(message.id);
    this.slots.delete(message.id);
    this.late.delete(message.id);
    if (slot && message.error) {
      const refusal = new Refused(message.error, slot.method);
      const isBusy = [ErrorCode.queueFull, ErrorCode.tooManyWaiting].includes(refusal.code);
      if (isBusy && !slot.isDone) {
        // The daemon did nothing: it is busy with other requests of this client. Ask again when
        // one of them has been answered.
        slot.busy = refusal;
        if (this.slots.size > 0) {
          this.held.push(slot);
          return;
        }
        if (!slot.wasAlone) {
          slot.wasAlone = true;
          this.#enqueue(slot);
          return;
        }
      }
      slot.finish(refusal);
    } else if (slot) {
      let result = message.result;
      try {
        if (slot.accept) result = slot.accept(result);
      } catch (fault) {
        this.slots.set(slot.number, slot);
        throw new Broken(`its answer to ${slot.method} is not as expected`, { cause: fault });
      }
      slot.finish(undefined, result);
    }
    const next = this.held.shift();
    if (next) this.#enqueue(next);
  }

  /** @param {string} method @param {any} params */
  #notified(method, params) {
    try {
      if (EVENTS.includes(method) && !isObject(params)) throw new TypeError('no object');
      if (method === 'app.open') this.app?.opened(params);
      if (method === 'app.widgetsChanged') this.app?.widgetsChanged(params);
      if (method === 'surface.update') {
        for (const surface of this.surfaces) {
          if (params.surface === surface.id) surface.updated(params);
        }
      }
    } catch (fault) {
      throw new Broken(`its notification ${method} is not as expected`, { cause: fault });
    }
    if (EVENTS.includes(method)) this.tell(method, params);
  }
}

/**
 * Refuses what `JSON.stringify` would turn into null without a word.
 * @this {any}
 * @param {string} key
 * @param {unknown} value
 */
function onlyJSON(key, value) {
  const given = this[key];
  if (typeof given === 'number' && !Number.isFinite(given)) {
    throw new TypeError(`'${key}' is ${given}, which is no JSON`);
  }
  if (value === null && given instanceof Date) throw new TypeError(`'${key}' is no date`);
  return value;
}

/**
 * @internal
 * @template T
 * @param {T[]} list
 * @param {T} item
 */
function remove(list, item) {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

// MARK: Sequences

/**
 * Something to iterate over that ends with the client, or with an error.
 * @template T
 */
class Sequence {
  #isOver = false;
  /** @type {Error | undefined} */
  #error;
  /** @type {(() => void)[]} */
  #waiting = [];
  #changed;

  /**
   * @internal
   * @param {() => void} changed tells the client that somebody waits, or no longer
   */
  constructor(changed) { this.#changed = changed; }

  /**
   * Takes the next item, if it is there.
   * @returns {{ value: T } | undefined}
   */
  take() { return undefined; }

  /**
   * Whether somebody waits for the next item.
   * @internal
   */
  get isAwaited() { return this.#waiting.length > 0; }

  /** @returns {Promise<IteratorResult<T, undefined>>} */
  async next() {
    for (;;) {
      const item = this.take();
      if (item) return { value: item.value, done: false };
      if (this.#error) {
        const error = this.#error;
        this.#error = undefined;
        throw error;
      }
      if (this.#isOver) return { value: undefined, done: true };
      await /** @type {Promise<void>} */ (new Promise((wake) => {
        this.#waiting.push(wake);
        this.#changed();
      }));
    }
  }

  /** @returns {AsyncIterableIterator<T>} */
  [Symbol.asyncIterator]() { return /** @type {any} */ (this); }

  /** @internal */
  wake() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /**
   * @internal
   * @param {Error} [error]
   */
  end(error) {
    this.#isOver = true;
    this.#error = error;
    this.wake();
  }
}

/**
 * This program as a host app. Iterate to get its taps, over restarts of the daemon.
 * @extends {Sequence<Opened>}
 */
export class App extends Sequence {
  /** @type {Opened[]} */
  #opened = [];
  /** @type {Map<string, AppWidget>} */
  #widgets = new Map();
  #hasMore = false;

  /**
   * @internal
   * @param {{ app: string, foreground?: boolean }} params
   * @param {any} answer
   * @param {() => void} changed
   */
  constructor(params, answer, changed) {
    super(changed);
    this.params = { ...params };
    /**
     * The daemon's answer to the registration, at the last connection.
     * @type {Registered}
     */
    this.answer = answer;
    this.registered(answer);
  }

  /**
   * Takes the answer to a registration.
   * @internal
   * @param {any} answer
   */
  registered(answer) {
    if (!Array.isArray(answer.kinds)) throw new TypeError('no kinds');
    this.answer = answer;
    // An older daemon lists none.
    const widgets = /** @type {AppWidget[]} */ (answer.widgets ?? []);
    this.#widgets = new Map(widgets.map((widget) => [widget.id, widget]));
    this.#hasMore = answer.more === true;
  }

  /** The kinds whose manifest names this app. */
  get kinds() { return this.answer.kinds; }

  /** The app's widgets with their configurations, as far as the daemon has said. */
  get widgets() { return [...this.#widgets.values()]; }

  /** False when the daemon said that there are others than `widgets`: see `widgetList`. */
  get knowsAllWidgets() { return !this.#hasMore; }

  /** The folders that the app shares with its widgets, by the names of their groups. */
  get groups() { return this.answer.groups ?? {}; }

  /**
   * Takes an `app.widgetsChanged`.
   * @internal
   * @param {WidgetsChanged} params
   */
  widgetsChanged(params) {
    for (const { change, widget } of params.changes) {
      this.#widgets.delete(widget.id);
      if (change !== 'removed') this.#widgets.set(widget.id, widget);
    }
    this.#hasMore ||= params.more === true;
  }

  take() {
    const value = this.#opened.shift();
    return value && { value };
  }

  /**
   * @internal
   * @param {Opened} tap
   */
  opened(tap) {
    this.#opened.push(tap);
    if (this.#opened.length > OPENED_KEPT_MAX) this.#opened.shift();
    this.wake();
  }
}

/**
 * Widgets to show. Iterate to get all of them at once, and again after each change.
 *
 * Changes that come while you draw are told together. A restart of the daemon is no change.
 * @extends {Sequence<Widget[]>}
 */
export class Surface extends Sequence {
  /** The id of the surface, for `stackOrder({ surface })`; another one after a reconnect. */
  id = '';
  /** @type {Map<string, Widget>} */
  #widgets = new Map();
  /** @type {string[]} */
  #order = [];
  #version = 0;
  #seen = 0;

  /**
   * @internal
   * @param {SurfaceParams} params
   * @param {any} answer
   * @param {() => void} changed
   */
  constructor(params, answer, changed) {
    super(changed);
    // A reconnect sends these again.
    this.params = { ...params, add: undefined, surface: undefined };
    this.attached(answer);
  }

  /**
   * What the surface shows, in order, as far as the daemon has said.
   * @returns {Widget[]}
   */
  get widgets() {
    const found = this.#order.map((id) => this.#widgets.get(id));
    return /** @type {Widget[]} */ (found.filter((widget) => widget !== undefined));
  }

  take() {
    if (this.#seen === this.#version) return undefined;
    this.#seen = this.#version;
    return { value: this.widgets };
  }

  /**
   * Takes the answer to `surface.attach`, which names all widgets.
   * @internal
   * @param {any} answer
   */
  attached(answer) {
    const before = JSON.stringify(this.widgets, withoutPlan);
    if (!Array.isArray(answer.stack ?? [])) throw new TypeError('no order');
    this.id = answer.surface;
    this.#widgets = new Map(answer.widgets.map((/** @type {Widget} */ widget) =>
      [widget.id, widget]));
    this.#order = answer.stack ?? [...this.#widgets.keys()];
    // A new connection brings new plans for the next reload, and a new daemon new numbers; they
    // alone are no news.
    if (this.#version === 0 || JSON.stringify(this.widgets, withoutPlan) !== before) {
      this.#version += 1;
      this.wake();
    }
  }

  /**
   * Takes an update, which names what changed.
   * @internal
   * @param {SurfaceUpdate} update
   */
  updated(update) {
    let isNews = false;
    if (!Array.isArray(update.stack ?? [])) throw new TypeError('no order');
    for (const id of update.removed ?? []) isNews = this.#widgets.delete(id) || isNews;
    for (const widget of update.widgets ?? []) {
      const before = JSON.stringify(this.#widgets.get(widget.id), withoutPlan);
      isNews ||= before !== JSON.stringify(widget, withoutPlan);
      this.#widgets.set(widget.id, widget);
    }
    const order = this.params.stack
      ? update.stack ?? this.#order : [...this.#widgets.keys()];
    isNews ||= String(order) !== String(this.#order);
    this.#order = order;
    if (isNews) {
      this.#version += 1;
      this.wake();
    }
  }
}

/** @param {string} key @param {unknown} value */
function withoutPlan(key, value) {
  return key === 'nextReload' || key === 'revision' ? undefined : value;
}

// MARK: The socket

/**
 * The place where the daemon listens: the rule of docs/PROTOCOL.md.
 * @param {Record<string, string | undefined>} environment
 */
export function socketPath(environment = process.env) {
  const path = environment.INTENTD_SOCKET ?? '';
  return path.startsWith('/') ? path : `${usualFolder(environment)}/intentd.sock`;
}

const SESSION_VARIABLES = [
  'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS',
  'XDG_SESSION_TYPE', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_DESKTOP', 'DESKTOP_SESSION',
  'SWAYSOCK', 'I3SOCK', 'HYPRLAND_INSTANCE_SIGNATURE', 'NIRI_SOCKET', 'SSH_AUTH_SOCK',
];

/**
 * The session that this program runs in, for `session` of `surfaceAttach`; `undefined` without a
 * screen, as over a network.
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string> | undefined}
 */
export function sessionVariables(environment = process.env) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const name of SESSION_VARIABLES) {
    const value = environment[name];
    // The daemon refuses any other value.
    if (value && Buffer.byteLength(value) <= 4_096 && !/[\0-\x1f\x7f\ufffd]/.test(value)) {
      found[name] = value;
    }
  }
  return found.DISPLAY || found.WAYLAND_DISPLAY ? found : undefined;
}

/** @param {Record<string, string | undefined>} environment */
function usualFolder(environment) {
  const runtime = environment.XDG_RUNTIME_DIR ?? '';
  if (runtime.startsWith('/')) return `${runtime}/intentd`;
  let temporary = environment.TMPDIR ?? '/tmp';
  if (!temporary.startsWith('/')) temporary = '/tmp';
  return `${temporary.replace(/\/+$/, '')}/intentd-${process.getuid?.()}`;
}

/**
 * Checks that nobody else can put a socket at `path`; returns what tells it from another one.
 *
 * Node cannot ask the kernel who listens. In a folder in which nobody else can replace the socket,
 * its owner listens: nobody but the owner can have put it there.
 * @param {string} path
 */
function checkPlace(path) {
  const me = process.geteuid?.();
  const folder = dirname(path);
  const where = statSync(folder);
  const isPrivate = folder === usualFolder(process.env);
  if (where.uid !== me && (isPrivate || where.uid !== 0)) {
    throw new UnsafeSocket(
      `not sent: the folder ${folder} belongs to uid ${where.uid}, not to you (uid ${me}); run as `
      + 'its owner, or name your own socket in $INTENTD_SOCKET');
  }
  // In a folder with the sticky bit, such as /tmp, nobody can replace another's socket.
  const isOpen = (where.mode & (isPrivate ? 0o077 : 0o022)) !== 0;
  if (isOpen && (isPrivate || (where.mode & 0o1000) === 0)) {
    const mode = (where.mode & 0o7777).toString(8).padStart(4, '0');
    throw new UnsafeSocket(
      `not sent: the folder ${folder} is open to others (mode ${mode}); close it with: `
      + `chmod 700 ${folder}`);
  }
  const what = statSync(path, { bigint: true });
  if (!what.isSocket() || Number(what.uid) !== me) {
    throw new UnsafeSocket(
      `not sent: ${path} is no socket of yours (uid ${me}); it belongs to uid ${what.uid}`);
  }
  return `${what.dev} ${what.ino} ${what.ctimeNs}`;
}

/** @param {string} path @param {unknown} fault @returns {NotSent} */
function reasonNotToConnect(path, fault) {
  if (fault instanceof NotSent) return fault;
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (fault);
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    return new NoDaemon(`no daemon is listening on ${path}; ${START_IT}`);
  }
  if (code === 'EAGAIN') {
    return new NoDaemon(`the daemon on ${path} has no time for a new connection yet`);
  }
  return new NoDaemon(`cannot connect to ${path}: ${message}`);
}

/**
 * Connects, and checks the place before a byte is sent. Rejects with `NoDaemon`, `UnsafeSocket`.
 * @param {string} path
 * @returns {Promise<net.Socket>}
 */
function dial(path) {
  return new Promise((connected, failed) => {
    if (Buffer.byteLength(path) > PATH_BYTES_MAX) {
      throw new NoDaemon(
        `the path of the socket is too long: ${path} has more than ${PATH_BYTES_MAX} bytes; set `
        + '$INTENTD_SOCKET to a shorter one, for the daemon too');
    }
    const before = checkPlace(path);
    const socket = net.connect({ path });
    const fail = (/** @type {unknown} */ fault) => {
      socket.destroy();
      failed(fault);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      try {
        if (checkPlace(path) !== before) {
          throw new NoDaemon(`the daemon on ${path} was restarted just now`);
        }
      } catch (fault) {
        fail(fault);
        return;
      }
      connected(socket);
    });
  }).then((socket) => /** @type {net.Socket} */ (socket), (fault) => {
    throw reasonNotToConnect(path, fault);
  });
}

/**
 * Somebody who waits for a connection, and for whose sake the client tries.
 * @internal
 */
class Opener {
  isOver = false;
  #wake = () => {};

  /** @param {number} milliseconds */
  async pause(milliseconds) {
    if (this.isOver) return;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    await /** @type {Promise<void>} */ (new Promise((wake) => {
      this.#wake = wake;
      timer = setTimeout(wake, milliseconds);
    }));
    clearTimeout(timer);
  }

  end() {
    this.isOver = true;
    this.#wake();
  }
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
  #core = new Core((event, ...values) => process.nextTick(() => this.emit(event, ...values)));
  /** @type {net.Socket | undefined} */
  #socket;
  /** @type {Promise<NotSent | undefined> | undefined} */
  #opening;
  /** @type {NodeJS.Timeout | undefined} */
  #retry;
  #retryAt = 0;
  #pause = RECONNECT_MIN;
  /** When the last connection began, by `performance.now`. */
  #beganAt = 0;
  #isClosed = false;
  #isReferenced = true;
  /**
   * Those who wait for a connection.
   * @type {Set<Opener>}
   */
  #openers = new Set();

  /**
   * @param {object} [options]
   * @param {string} [options.path] the socket, if it is not the usual one
   * @param {number} [options.timeout] milliseconds to wait for an answer
   * @param {number} [options.connectWithin] milliseconds for which a request waits for a daemon
   */
  constructor(options = {}) {
    super();
    const { path, timeout = TIMEOUT, connectWithin = 0 } = options;
    this.path = path === undefined ? socketPath() : resolve(path);
    this.timeout = timeout;
    this.connectWithin = connectWithin;
    const changed = () => process.nextTick(() => this.#reference());
    this.on('newListener', changed);
    this.on('removeListener', changed);
  }

  /** Connects now. Rejects with `NoDaemon` or `UnsafeSocket`. */
  async connect() {
    this.#checkOpen();
    const error = await this.#openUntil(performance.now() + this.connectWithin, new Opener());
    if (error) throw error;
    this.#checkOpen();
    return this;
  }

  /** Ends the connection and every iteration; requests under way reject with `ConnectionLost`. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    for (const opener of this.#openers) opener.end();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#core.close();
    socket?.destroy();
  }

  /**
   * Makes any request, such as one that is newer than this file.
   * @param {string} method
   * @param {object} [params]
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  call(method, params, options) { return this.#perform(method, params, options); }

  // Intents

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
  intentSend(params, options) { return this.#perform('intent.send', params, options); }

  /**
   * Says what `intentSend` would do with a sentence.
   * @param {{ text: string, language?: string, languages?: string[], context?: object,
   *   spans?: boolean, strict?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<Record<string, any>>}
   */
  intentRecognize(params, options) { return this.#perform('intent.recognize', params, options); }

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
  intentComplete(params, options) { return this.#perform('intent.complete', params, options); }

  /**
   * Records that the person did an intent in your app.
   * @param {{ intent: string, parameters?: object, date?: WireDate, source?: string }} params
   * @param {Options} [options]
   * @returns {Promise<Record<string, any>>}
   */
  intentDonate(params, options) { return this.#perform('intent.donate', params, options); }

  /**
   * Lists the intents, and the languages that have sentences.
   * @param {{ language?: string, languages?: string[] }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ intents: Record<string, any>[], languages: string[] }>}
   */
  intentList(params, options) { return this.#perform('intent.list', params, options); }

  /**
   * Replaces the values of a list, or adds some and removes others.
   * @param {{ name: string, values?: (string | { in: string, out: any })[],
   *   add?: (string | { in: string, out: any })[], remove?: string[] }} params
   * @param {Options} [options]
   * @returns {Promise<{ name: string, count: number }>}
   */
  intentSetList(params, options) { return this.#perform('intent.setList', params, options); }

  /**
   * Forgets what the person did, as far as all conditions hold.
   * @param {{ intent?: string, kind?: string, since?: WireDate, all?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<{ forgotten: number, donations: number }>}
   */
  donationForget(params, options) { return this.#perform('donation.forget', params, options); }

  /**
   * Turns private mode on or off.
   * @param {{ on?: boolean }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ private: boolean }>}
   */
  donationSetPrivate(params, options) {
    return this.#perform('donation.setPrivate', params, options);
  }

  /**
   * Opens a URL: a route of an intent, or an `x-callback-url` for the app `app`.
   * @param {{ url: string, wait?: boolean, app?: string, source?: string,
   *   activationToken?: string }} params
   * @param {Options} [options]
   * @returns {Promise<Sent>}
   */
  urlOpen(params, options) { return this.#perform('url.open', params, options); }

  // Widgets

  /**
   * Lists the kinds of widgets, with the texts in the first of `languages` that they have; with
   * `previews` each has how it looks, as `preview`.
   * @param {{ kind?: string, previews?: boolean, family?: string, language?: string,
   *   languages?: string[] }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ kinds: Record<string, any>[] }>}
   */
  galleryList(params, options) { return this.#perform('gallery.list', params, options); }

  /**
   * Lists the placed widgets and suggestions: compact, or as `mode` says, or in the mode chosen for
   * the surface called `name`.
   * @param {{ kind?: string, language?: string, languages?: string[],
   *   mode?: 'compact' | 'expanded', name?: string }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ widgets: Widget[] }>}
   */
  widgetList(params, options) { return this.#perform('widget.list', params, options); }

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
  widgetAdd(params, options) { return this.#perform('widget.add', params, options); }

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
  widgetConfigure(params, options) { return this.#perform('widget.configure', params, options); }

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
  widgetSetMode(params, options) { return this.#perform('widget.setMode', params, options); }

  /**
   * Takes the widget `id` away, or all of `ids`; `widgetRestore` brings them back.
   * @template {{ id?: string, ids?: string[] }} P
   * @param {P & { id?: string, ids?: string[] }} params
   * @param {Options} [options]
   * @returns {Promise<{ removed: P extends { ids: string[] } ? string[] : string }>}
   */
  widgetRemove(params, options) { return this.#perform('widget.remove', params, options); }

  /**
   * Undoes the latest removal or dismissal of the last ten minutes; `renamed` maps old ids to new.
   * @param {{}} [params]
   * @param {Options} [options]
   * @returns {Promise<{ undone: 'removed' | 'dismissed', widgets: string[],
   *   renamed?: Record<string, string> }>}
   */
  widgetRestore(params, options) { return this.#perform('widget.restore', params, options); }

  /**
   * Asks for new timelines; with `wait` the receipts say what became of each reload.
   * @param {{ kind?: string, id?: string, wait?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<{ receipts: Receipt[] }>}
   */
  widgetReload(params, options) { return this.#perform('widget.reload', params, options); }

  /**
   * Asks for new timelines of every widget; of a registered app, of its own widgets. With
   * `program`, a kind, only of the kinds that share its program.
   * @param {{ program?: string, wait?: boolean }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ receipts: Receipt[] }>}
   */
  widgetReloadAll(params, options) { return this.#perform('widget.reloadAll', params, options); }

  /**
   * Runs the widgets whose manifests name a signal, from 1 to 30: 8 is what pkill -RTMIN+8 is to
   * a bar.
   * @param {{ signal: number, wait?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<{ receipts: Receipt[] }>}
   */
  widgetSignal(params, options) { return this.#perform('widget.signal', params, options); }

  /**
   * Returns a picture that the content of a widget names; `data` has its bytes in Base64.
   * @param {{ hash: string }} params
   * @param {Options} [options]
   * @returns {Promise<{ hash: string, type: string, width: number, height: number,
   *   data: string }>}
   */
  imageGet(params, options) { return this.#perform('image.get', params, options); }

  /**
   * Hands over a timeline for a widget, without any run of its provider.
   * @param {{ id: string, timeline: Timeline }} params
   * @param {Options} [options]
   * @returns {Promise<{ receipt: Receipt, warnings: string[] }>}
   */
  widgetPush(params, options) { return this.#perform('widget.push', params, options); }

  /**
   * Returns a receipt; with `wait`, once the reload has ended or was deferred.
   * @param {{ id: string, wait?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<{ receipt: Receipt }>}
   */
  widgetReceipt(params, options) { return this.#perform('widget.receipt', params, options); }

  /**
   * Returns the timeline of a widget in one mode, as `widgetList` takes it.
   * @param {{ id: string, mode?: 'compact' | 'expanded', name?: string }} params
   * @param {Options} [options]
   * @returns {Promise<Record<string, any>>}
   */
  widgetTimeline(params, options) { return this.#perform('widget.timeline', params, options); }

  /**
   * Says what a widget may still spend, and what it spent, in one `mode`.
   * @param {{ id: string, mode?: 'compact' | 'expanded' }} params
   * @param {Options} [options]
   * @returns {Promise<Record<string, any>>}
   */
  widgetBudget(params, options) { return this.#perform('widget.budget', params, options); }

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
  widgetTap(params, options) { return this.#perform('widget.tap', params, options); }

  /**
   * Returns a widget for a menu of its items, after its script has run if it wants to.
   * When `run` is 'failed' or 'late', the items are the last ones.
   * @param {{ id: string, mode?: 'compact' | 'expanded', name?: string }} params
   * @param {Options} [options]
   * @returns {Promise<{ widget: Widget, run: 'none' | 'done' | 'failed' | 'late' }>}
   */
  widgetOpenMenu(params, options) { return this.#perform('widget.openMenu', params, options); }

  // The stack

  /**
   * Returns the widgets, the most relevant first; with `ids` only their ids.
   * @param {{ surface?: string, limit?: number, ids?: boolean, at?: WireDate,
   *   language?: string, languages?: string[] }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ widgets?: Widget[], ids?: string[] }>}
   */
  stackOrder(params, options) { return this.#perform('stack.order', params, options); }

  /**
   * Returns the stack with the reasons for each place.
   * @param {{ id?: string, surface?: string, limit?: number, at?: WireDate,
   *   language?: string, languages?: string[] }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ widgets: Record<string, any>[] }>}
   */
  stackExplain(params, options) { return this.#perform('stack.explain', params, options); }

  /**
   * Sends a widget away, as the person did; `widgetRestore` undoes it.
   * @param {{ id: string }} params
   * @param {Options} [options]
   * @returns {Promise<{ dismissed: string }>}
   */
  stackDismiss(params, options) { return this.#perform('stack.dismiss', params, options); }

  /**
   * Says how well the order foresaw what the person did.
   * @param {{ limit?: number }} [params]
   * @param {Options} [options]
   * @returns {Promise<Record<string, any>>}
   */
  stackReplay(params, options) { return this.#perform('stack.replay', params, options); }

  // Surfaces and host apps

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
  surfaceAttach(params = {}, options) {
    if (typeof params.session === 'boolean') {
      params = { ...params, session: params.session ? sessionVariables() : undefined };
    }
    return this.#perform('surface.attach', params, options, (answer) => {
      const surface = new Surface(params, answer, () => this.#reference());
      // The new one takes the place of the one with its id, or of the first.
      const known = this.#core.surfaces;
      const place = known.findIndex((other) => other.id === surface.id);
      if (params.add) known.push(surface);
      else known.splice(Math.max(0, place), 1, surface)[0]?.end();
      return surface;
    });
  }

  /**
   * Says whether the person can see this surface, now and after a reconnect; without `surface`, an
   * id, all surfaces of this client.
   * @param {{ visible: boolean, surface?: string }} params
   * @param {Options} [options]
   * @returns {Promise<{}>}
   */
  surfaceVisibility(params, options) {
    return this.#perform('surface.visibility', params, options, (answer) => {
      for (const surface of this.#core.meantSurfaces(params.surface)) {
        surface.params.visible = params.visible;
      }
      return answer;
    });
  }

  /**
   * Ends the surface with this id, or all surfaces of this client.
   * @param {{ surface?: string }} [params]
   * @param {Options} [options]
   * @returns {Promise<{}>}
   */
  surfaceDetach(params = {}, options) {
    return this.#perform('surface.detach', params, options, (answer) => {
      this.#core.endSurfaces(undefined, this.#core.meantSurfaces(params.surface));
      return answer;
    });
  }

  /**
   * Turns the stacks of this client, that of one surface, or those with a name; `by` is 1 if left
   * out.
   * @param {{ by?: number, name?: string, surface?: string }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ surfaces: number }>}
   */
  surfaceRotate(params = {}, options) {
    return this.#perform('surface.rotate', params, options);
  }

  /**
   * Makes this connection the app `app`, now and after a reconnect.
   * @param {{ app: string, foreground?: boolean }} params
   * @param {Options} [options]
   * @returns {Promise<App>}
   */
  appRegister(params, options) {
    return this.#perform('app.register', params, options, (answer) => {
      const app = new App(params, answer, () => this.#reference());
      this.#core.endApp();
      this.#core.app = app;
      return app;
    });
  }

  /**
   * Says where this app is, now and after a reconnect.
   * @param {{ state: 'foreground' | 'background' }} params
   * @param {Options} [options]
   * @returns {Promise<{}>}
   */
  appState(params, options) {
    return this.#perform('app.state', params, options, (answer) => {
      if (this.#core.app) this.#core.app.params.foreground = params.state === 'foreground';
      return answer;
    });
  }

  // The daemon

  /**
   * Resolves when the daemon has answered.
   * @param {{}} [params]
   * @param {Options} [options]
   * @returns {Promise<{}>}
   */
  daemonPing(params, options) { return this.#perform('daemon.ping', params, options); }

  /**
   * Returns versions, counts and the mistakes of the configuration.
   * @param {{}} [params]
   * @param {Options} [options]
   * @returns {Promise<Status>}
   */
  daemonStatus(params, options) { return this.#perform('daemon.status', params, options); }

  /**
   * Returns the metrics as OpenMetrics text.
   * @param {{}} [params]
   * @param {Options} [options]
   * @returns {Promise<{ text: string }>}
   */
  daemonMetrics(params, options) { return this.#perform('daemon.metrics', params, options); }

  /**
   * Returns the journal, newest first.
   * @param {{ limit?: number, widget?: string }} [params]
   * @param {Options} [options]
   * @returns {Promise<{ entries: Record<string, any>[] }>}
   */
  daemonHistory(params, options) { return this.#perform('daemon.history', params, options); }

  /**
   * Reads manifests and intents again, and returns what is wrong with them.
   * @param {{}} [params]
   * @param {Options} [options]
   * @returns {Promise<Configuration>}
   */
  daemonReloadConfiguration(params, options) {
    return this.#perform('daemon.reloadConfiguration', params, options);
  }

  // MARK: Waiting

  /**
   * @param {string} method
   * @param {object | undefined} params
   * @param {Options | undefined} options
   * @param {(answer: any) => any} [accept]
   * @returns {Promise<any>}
   */
  async #perform(method, params, options, accept) {
    const { timeout = this.timeout, signal, key } = options ?? {};
    if (key !== undefined) params = { ...params, idempotencyKey: key };
    this.#checkOpen();
    signal?.throwIfAborted();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {(() => void) | undefined} */
    let abort;
    const opener = new Opener();
    try {
      return await new Promise((done, fail) => {
        const connectUntil = performance.now() + this.connectWithin;
        const asked = this.#core.ask(
          method, params, accept, (error, result) => (error ? fail(error) : done(result)),
          connectUntil);
        abort = () => {
          this.#core.forget(asked);
          fail(signal?.reason); // Whatever it is, and first: the first outcome is the one.
          asked.finish(undefined);
        };
        // A timer cannot be longer than this; it is 24 days.
        timer = setTimeout(() => this.#core.giveUp(asked, timeout), Math.min(timeout, 2 ** 31 - 1));
        signal?.addEventListener('abort', abort);
        if (this.#socket) this.#flush();
        else void this.#openUntil(connectUntil, opener);
      });
    } finally {
      clearTimeout(timer);
      opener.end();
      if (abort) signal?.removeEventListener('abort', abort);
      this.#reference();
    }
  }

  #checkOpen() {
    if (this.#isClosed) throw new Closed('this client was closed; make a new one');
  }

  /** Connects once; resolves to the reason if it cannot. */
  #open() {
    this.#opening ??= (async () => {
      try {
        const socket = await dial(this.path);
        if (this.#isClosed) socket.destroy();
        else this.#began(socket);
        return undefined;
      } catch (error) {
        this.#failed();
        return /** @type {NotSent} */ (error);
      } finally {
        this.#opening = undefined;
      }
    })();
    return this.#opening;
  }

  /**
   * Connects, until `limit` or while the opener lives; resolves to the reason if it cannot.
   * @param {number} limit
   * @param {Opener} opener
   */
  async #openUntil(limit, opener) {
    this.#openers.add(opener);
    try {
      while (!this.#socket && !this.#isClosed && !opener.isOver) {
        const error = await this.#open();
        if (!error) break;
        const now = performance.now();
        if (error instanceof UnsafeSocket || now >= limit) {
          this.#failUnsent(error);
          return error;
        }
        await opener.pause(Math.min(this.#retryAt, limit) - now);
      }
      return undefined;
    } finally {
      this.#openers.delete(opener);
    }
  }

  /**
   * Ends the requests that wait for a connection no longer; all, if it would be unsafe.
   * @param {NotSent} error
   */
  #failUnsent(error) {
    this.#core.failUnsent(error, error instanceof UnsafeSocket ? Infinity : performance.now());
  }

  /** @param {net.Socket} socket */
  #began(socket) {
    this.#socket = socket;
    this.#beganAt = performance.now();
    this.#isReferenced = true;
    socket.on('data', (/** @type {Buffer} */ data) => this.#received(socket, data));
    socket.on('error', (error) => this.#end(socket, error.message));
    socket.on('end', () => this.#end(socket, 'the daemon closed it'));
    socket.on('close', () => this.#end(socket, 'the daemon closed it'));
    this.#core.opened();
    this.#flush();
    this.#reference();
  }

  /** @param {net.Socket} socket @param {Buffer} data */
  #received(socket, data) {
    if (socket !== this.#socket) return;
    try {
      this.#core.feed(data);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.#end(socket, error.message);
      return;
    }
    this.#flush();
  }

  #isWriting = false;

  /** Sends one line after the other, so that it is known which ones were sent. */
  #flush() {
    const socket = this.#socket;
    const slot = this.#core.queue[0];
    if (!socket || !slot || this.#isWriting) return;
    this.#isWriting = true;
    slot.isBegun = true;
    socket.write(slot.line, (error) => {
      if (socket !== this.#socket) return;
      this.#isWriting = false;
      if (error) return; // 'error' and 'close' follow; what the daemon said last comes before.
      slot.isSent = true;
      this.#core.queue.shift();
      this.#flush();
    });
  }

  /** @param {net.Socket} socket @param {string} why */
  #end(socket, why) {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#isWriting = false;
    if (this.#core.hasHeard) {
      // After a restart of the daemon this is over; one that ends each connection gets few.
      this.#pause = RECONNECT_MIN;
      this.#retryAt = this.#beganAt + RECONNECT_MIN;
    } else {
      // A daemon that says nothing and goes, or has no room, is as good as none.
      this.#failed();
    }
    this.#core.ended(why);
    socket.destroy();
    this.#reconnect();
  }

  /** Notes a failed attempt: pauses double, and are not the same for all clients. */
  #failed() {
    // Many requests that try at the same time are one attempt.
    if (performance.now() < this.#retryAt) return;
    this.#retryAt = performance.now() + this.#pause * (0.5 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, RECONNECT_MAX);
  }

  /** Whether somebody waits for what the daemon says by itself. */
  get #outlivesConnections() {
    return Boolean(this.#core.app || this.#core.surfaces.length > 0
      || EVENTS.some((event) => this.listenerCount(event) > 0));
  }

  #reconnect() {
    clearTimeout(this.#retry);
    if (this.#isClosed || !(this.#core.unsent.length > 0 || this.#outlivesConnections)) return;
    this.#retry = setTimeout(async () => {
      if (this.#socket || this.#isClosed) return;
      const error = await this.#open();
      if (!error) return;
      this.#failUnsent(error);
      if (error instanceof UnsafeSocket) {
        this.#core.endApp(error);
        this.#core.endSurfaces(error);
      }
      this.#reconnect();
    }, Math.max(0, this.#retryAt - performance.now()));
    this.#reference();
  }

  /** Keeps the process alive while somebody waits, and only then. */
  #reference() {
    const isAwaited = this.#core.slots.size > 0 || this.#core.held.length > 0
      || Boolean(this.#core.app?.isAwaited)
      || this.#core.surfaces.some((surface) => surface.isAwaited)
      || EVENTS.some((event) => this.listenerCount(event) > 0);
    if (isAwaited) this.#retry?.ref();
    else this.#retry?.unref();
    if (!this.#socket || this.#isReferenced === isAwaited) return;
    this.#isReferenced = isAwaited;
    if (isAwaited) this.#socket.ref();
    else this.#socket.unref();
  }
}

// MARK: What a surface shows

/**
 * Returns a line of a widget as it reads now: a live date in words, a text unchanged.
 *
 * Of text in runs it is the text without the styles. The words are those of `intent-send`:
 * `in 5 min`, `2 h ago`, `04:59`, `+3 d`.
 * @param {Line} line
 * @param {Date} [now]
 */
export function liveText(line, now = new Date()) {
  if (typeof line === 'string') return line;
  if ('runs' in line) {
    return Array.isArray(line.runs) ? line.runs.map((run) => String(run?.text ?? '')).join('') : '';
  }
  const seconds = Math.trunc((Date.parse(line.date) - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) return line.date;
  const amount = Math.abs(seconds);
  if (line.style === 'timer') {
    const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
    const minutes = `${two(Math.floor(amount / 60) % 60)}:${two(amount % 60)}`;
    return amount >= 3600 ? `${Math.floor(amount / 3600)}:${minutes}` : minutes;
  }
  const [size, unit] = unitOf(amount);
  const span = `${Math.floor(amount / size)} ${unit}`;
  if (line.style === 'offset') return (seconds < 0 ? '-' : '+') + span;
  if (amount < 5) return 'now';
  return seconds > 0 ? `in ${span}` : `${span} ago`;
}

/** @param {number} seconds @returns {[number, string]} */
function unitOf(seconds) {
  if (seconds >= 86400) return [86400, 'd'];
  if (seconds >= 3600) return [3600, 'h'];
  return seconds >= 60 ? [60, 'min'] : [1, 's'];
}

/**
 * Returns in how many milliseconds a live date anywhere in `value` reads differently.
 *
 * `value` is a widget, a list of them, or a part of one. `undefined`: it has no live date.
 * @param {unknown} value
 * @param {Date} [now]
 * @returns {number | undefined}
 */
export function millisecondsToTick(value, now = new Date()) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isObject(value) && 'style' in value && typeof value.date === 'string') {
    const away = Date.parse(value.date) - now.getTime();
    if (Number.isNaN(away)) return undefined;
    const amount = Math.abs(away);
    const size = 1000 * (value.style === 'timer' ? 1 : unitOf(Math.trunc(amount / 1000))[0]);
    // The text changes when a whole unit is over: one that passes, or one that is left.
    return (away > 0 ? amount % size : size - (amount % size)) + 1;
  }
  /** @type {number | undefined} */
  let first;
  for (const part of Object.values(value)) {
    const tick = millisecondsToTick(part, now);
    if (tick !== undefined && (first === undefined || tick < first)) first = tick;
  }
  return first;
}

/**
 * Returns the lines of a `title`, `text` or `short`, as they read now.
 * @param {unknown} text
 * @param {Date} [now]
 * @returns {string[]}
 */
export function textLines(text, now = new Date()) {
  if (typeof text === 'string' || typeof text === 'number') {
    return String(text).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line !== '');
  }
  if (Array.isArray(text)) return text.flatMap((part) => textLines(part, now));
  return isObject(text) ? [liveText(/** @type {Line} */ (text), now)] : [];
}

/**
 * Returns a widget as a bar shows it: `short`, else `title: text`, else its name.
 * @param {Pick<Widget, 'name' | 'entry'>} widget
 * @param {Date} [now]
 */
export function oneLine(widget, now = new Date()) {
  /** @type {Content} */
  const content = widget.entry?.content ?? {};
  const [short] = textLines(content.short, now);
  if (short !== undefined) return printable(short);
  const [title] = textLines(content.title, now);
  const [text] = textLines(content.text, now);
  const lines = [...new Set([title, text])].filter((line) => line !== undefined);
  if (lines.length === 0 && typeof content.percentage === 'number') {
    lines.push(`${content.percentage}%`);
  }
  return printable(lines.join(': ') || widget.name);
}

/**
 * Returns a text from others on one line, without what steers a terminal or hides in it.
 *
 * A line break or a tab becomes a space, another control character visible (`\x1B`); characters
 * without a shape go, but for the joiners and the choice of a picture (`\uFE0F`) that emoji and some
 * scripts need.
 * @param {string} text
 */
export function printable(text) {
  return text.replace(/\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replace(/\p{Cc}/gu, (control) =>
      `\\x${control.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/\p{Cs}/gu, '\ufffd').replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    // Fillers, and selectors of a variant, of which 256 can spell a hidden text behind any letter.
    .replace(/(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu, '');
}

/**
 * Shows the stack, once or for as long as somebody looks.
 * @param {string[]} args
 */
async function demo(args) {
  if (args.length > 1 || (args.length === 1 && args[0] !== 'follow')) {
    console.error(
      'usage: intentd.mjs           the stack, the most relevant widget first\n'
      + '       intentd.mjs follow    and again after each change, until Ctrl-C');
    process.exitCode = ['--help', '-h'].includes(args[0] ?? '') ? 0 : 64;
    return;
  }
  const daemon = new Client();
  process.stdout.on('error', () => daemon.close()); // Nobody reads any more.
  try {
    for await (const widgets of await daemon.surfaceAttach({ stack: true })) {
      for (const widget of widgets) console.log(`${printable(widget.id)}\t${oneLine(widget)}`);
      if (args.length === 0) break;
      console.log();
    }
  } catch (error) {
    if (!(error instanceof IntentdError)) throw error;
    console.error(`intentd.mjs: ${printable(error.message)}`);
    process.exitCode = 69;
  }
  daemon.close();
}

/** Whether Node was started with this file. */
function isProgram() {
  try {
    return realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url);
  } catch {
    return false; // The word behind `node -e` is no file.
  }
}

if (isProgram()) void demo(process.argv.slice(2));
