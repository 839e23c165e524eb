/**
 * Tests intentd.mjs: the core by itself, and the client against a real daemon.
 *
 *     node --test Clients/node/test_intentd.mjs
 *
 * The daemon is $INTENTD_PROGRAM, else the one that was built in .build. No test sleeps: each waits
 * for what the daemon says. A test that hangs fails after two minutes.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as intentd from './intentd.mjs';

const { Client, Core, ErrorCode, Surface } = intentd;
const HERE = path.dirname(fileURLToPath(import.meta.url));
const PROJECT = path.dirname(path.dirname(HERE));
const FILE = path.join(HERE, 'intentd.mjs');
const PAGE = fs.readFileSync(path.join(PROJECT, 'docs', 'PROTOCOL.md'), 'utf8');
const TIME = { timeout: 120_000 };

const program = [process.env.INTENTD_PROGRAM,
  ...['debug', 'release'].map((kind) => path.join(PROJECT, '.build', kind, 'intentd'))]
  .find((file) => file && fs.existsSync(file));
const WITH_DAEMON = { ...TIME, skip: program ? false : 'intentd is not built (swift build)' };

const timeline = (text) => ({
  entries: [{ date: '2026-11-20T08:00:00Z', content: { text } }], policy: 'never' });
const textOf = (widgets) => widgets[0].entry.content.text;

/**
 * Makes a folder that the test removes; a socket's path may have 107 bytes.
 *
 * `end` ends what writes in it: a daemon makes its folders anew when they are gone.
 */
function folder(t, end = async () => {}) {
  const made = fs.mkdtempSync('/tmp/intentd-');
  t.after(async () => {
    await end();
    fs.rmSync(made, { recursive: true });
  });
  return made;
}

// The core, without a socket

function core(app, surface) {
  const made = new Core((event, ...values) => made.told.push([event, ...values]));
  made.told = [];
  made.app = app;
  made.surfaces = surface ? [surface] : [];
  made.opened();
  return made;
}

function ask(made, method = 'daemon.ping', params = undefined) {
  const outcome = {};
  outcome.slot = made.ask(method, params, undefined, (error, result) => {
    Object.assign(outcome, { error, result });
  });
  return outcome;
}

/** Takes what the core wants to send, as messages. */
function linesOf(made) {
  return made.queue.splice(0).map((slot) => {
    slot.isBegun = slot.isSent = true;
    return JSON.parse(slot.line.toString());
  });
}

function say(made, ...messages) {
  made.feed(Buffer.from(messages
    .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n').join('')));
}

const busy = (id) => ({ id, error: { code: ErrorCode.queueFull, message: 'busy' } });
const isBroken = (error) => error.constructor.name === 'Broken';

describe('the core', () => {
  test('a request is one line without what was left out', () => {
    const made = core();
    ask(made, 'widget.tap', { id: 'ü\n', item: undefined });
    ask(made);
    assert.equal(made.queue[0].line.toString(),
      '{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"ü\\n"}}\n');
    assert.deepEqual(linesOf(made)[1], { jsonrpc: '2.0', id: 2, method: 'daemon.ping' });
  });

  test('the bytes may come in any split', () => {
    const text = Buffer.from([[2, '\n'], [1, '\r\n'], [3, '\n\n']].map(([id, end]) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { t: '北京 😀' } }) + end).join(''));
    const cuts = [[], [...text.keys()]];
    for (let i = 0; i < 200; i += 1) {
      cuts.push([1, 2, 3, 4].map(() => Math.floor(Math.random() * text.length))
        .sort((a, b) => a - b));
    }
    for (const places of cuts) {
      const made = core();
      const asked = [ask(made), ask(made), ask(made)];
      const ends = [...places, text.length];
      ends.forEach((end, index) => made.feed(text.subarray(ends[index - 1] ?? 0, end)));
      for (const { error, result } of asked) {
        assert.deepEqual([error, result], [undefined, { t: '北京 😀' }]);
      }
    }
  });

  test('what the daemon cannot have sent ends the connection', () => {
    for (const line of ['nonsense', '[]', '3', '"x"', '\xff\xfe', '{"a":'.repeat(50_000)]) {
      assert.throws(() => core().feed(Buffer.from(line + '\n', 'latin1')), isBroken);
    }
    const made = core();
    const mebibyte = Buffer.alloc(1 << 20, ' ');
    for (let i = 0; i < 64; i += 1) made.feed(mebibyte);
    assert.throws(() => made.feed(Buffer.from(' ')), isBroken);
  });

  test('an answer that nobody waits for is ignored', () => {
    const made = core();
    const asked = ask(made);
    linesOf(made);
    made.giveUp(asked.slot, 1000);
    assert.ok(asked.error instanceof intentd.AnswerTimeout);
    say(made, { id: 1, result: {} }, { id: 77, result: {} }, { id: 'x', result: {} });
  });

  test('what was sent is never sent again, and what was not moves once', () => {
    const made = core();
    const [sent, half, queued] = [ask(made), ask(made), ask(made)];
    const first = made.queue.shift();
    first.isBegun = first.isSent = true;
    made.queue[0].isBegun = true;
    made.ended('gone');
    assert.ok(sent.error instanceof intentd.ConnectionLost);
    assert.deepEqual([half.error, queued.error], [undefined, undefined]);
    made.opened();
    assert.deepEqual(linesOf(made).map((line) => line.id), [2, 3]);
    const again = ask(made);
    made.ended('gone again');
    assert.ok(half.error instanceof intentd.ConnectionLost);
    made.opened();
    made.ended('and again');
    assert.ok(again.error instanceof intentd.NoDaemon);
  });

  test('a refused connection refuses every request', () => {
    const made = core();
    const asked = [ask(made), ask(made)];
    made.queue[0].isBegun = made.queue[0].isSent = true;
    say(made, { id: null, error: { code: -32002, message: '1024 clients' } });
    made.ended('closed');
    for (const { error } of asked) assert.equal(error.code, ErrorCode.tooManyConnections);
  });

  test('a request refused as one too many is made again when another is answered', () => {
    const made = core();
    const asked = [ask(made), ask(made), ask(made), ask(made)];
    linesOf(made);
    say(made, busy(2), busy(3), busy(4));
    assert.deepEqual(linesOf(made), []);
    say(made, { id: 1, result: 1 });
    assert.deepEqual(linesOf(made).map((line) => line.id), [2]);
    // Alone and refused: asked again once, for by now everything has been read.
    say(made, busy(2));
    assert.deepEqual(linesOf(made).map((line) => line.id), [2]);
    say(made, busy(2));
    assert.equal(asked[1].error.code, ErrorCode.queueFull);
    for (const outcome of asked.slice(2)) {
      const id = outcome.slot.number;
      assert.deepEqual(linesOf(made).map((line) => line.id), [id]);
      say(made, { id, result: id });
      assert.equal(outcome.result, id);
    }
  });

  test('what is too large or no JSON is not sent', () => {
    const made = core();
    const room = intentd.REQUEST_BYTES_MAX
      - '{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":""}}'.length;
    ask(made, 'm', { t: 'x'.repeat(room) });
    assert.throws(() => ask(made, 'm', { t: 'x'.repeat(room + 1) }), intentd.RequestTooLarge);
    const loop = {};
    loop.loop = loop;
    for (const t of [NaN, Infinity, 1n, loop, new Date(NaN)]) {
      assert.throws(() => ask(made, 'm', { t }), TypeError);
    }
    assert.equal(linesOf(made).length, 1);
  });

  test('a new connection begins with the app and the surface', () => {
    const app = new intentd.App({ app: 'org.example.App' }, { kinds: [] }, () => {});
    const surface = new Surface({ stack: true }, { surface: 's1', widgets: [] }, () => {});
    const made = core(app, surface);
    const waiting = ask(made);
    assert.deepEqual(linesOf(made).map((line) => line.method),
      ['app.register', 'surface.attach', 'daemon.ping']);
    say(made, { id: 1, result: { app: 'org.example.App', kinds: ['k'] } });
    assert.deepEqual(made.told, []);
    say(made, { id: 2, result: { surface: 's9', widgets: [] } }, { id: 3, result: 3 });
    assert.deepEqual([made.told, app.kinds, surface.id, waiting.result],
      [[['connected']], ['k'], 's9', 3]);
  });

  test('a surface that cannot attach again ends with the reason', async () => {
    const surface = new Surface({ widgets: ['w'] }, { surface: 's1', widgets: [] }, () => {});
    await surface.next();
    const made = core(undefined, surface);
    linesOf(made);
    say(made, { id: 1, error: { code: -32020, message: "no widget has the id 'w'" } });
    assert.deepEqual(made.surfaces, []);
    await assert.rejects(surface.next(), { code: ErrorCode.unknownWidget });
    assert.deepEqual(await surface.next(), { value: undefined, done: true });
  });

  test('a daemon that is stopping is left for the next one', () => {
    const made = core(undefined, new Surface({}, { surface: 's1', widgets: [] }, () => {}));
    linesOf(made);
    assert.throws(
      () => say(made, { id: 1, error: { code: -32042, message: 'stopping' } }), isBroken);
    assert.ok(made.surfaces[0]);
  });
});

describe('the core and a daemon that says something else', () => {
  const attached = (id) => new Surface({}, { surface: id, widgets: [] }, () => {});

  test('a notification of another shape ends the connection', () => {
    for (const widgets of [1, [null], {}]) {
      const made = core(undefined, attached('s1'));
      assert.throws(() => say(
        made, { method: 'surface.update', params: { surface: 's1', widgets } }), isBroken);
    }
  });

  test('a message of another shape ends the connection, and no program', () => {
    const noText = '{"toString":1,"valueOf":1}';
    for (const line of [`{"method":${noText}}`, '{"method":null,"id":1}', '{"method":1}',
      '{"method":"app.open","params":5}', '{"method":"receipt.update","params":[]}']) {
      assert.throws(() => core().feed(Buffer.from(line + '\n')), isBroken, line);
    }
    const made = core();
    const asked = ask(made);
    linesOf(made);
    made.feed(Buffer.from(
      `{"id":1,"error":{"code":${noText},"message":${noText},"data":{"name":${noText},`
      + `"suggestions":["a",${noText}]}}}\n`));
    const { error } = asked;
    assert.deepEqual(
      [error.message, error.code, error.codeName, error.suggestions], ['refused', 0, '', ['a']]);
  });

  test('an order that is none ends the connection, before anybody draws it', () => {
    for (const stack of ['abc', 5, { length: 1 }]) {
      const made = core(undefined, attached('s1'));
      assert.throws(
        () => say(made, { id: 1, result: { surface: 's2', widgets: [], stack } }), isBroken);
      const other = core(undefined, attached('s1'));
      assert.throws(() => say(
        other, { method: 'surface.update', params: { surface: 's1', stack } }), isBroken);
      assert.deepEqual([made.surfaces[0].widgets, other.surfaces[0].widgets], [[], []]);
    }
    const app = new intentd.App({ app: 'org.example.App' }, { kinds: ['k'] }, () => {});
    assert.throws(() => say(core(app), { id: 1, result: {} }), isBroken);
    assert.deepEqual(app.kinds, ['k']);
  });

  test('the names of prototypes are names as others, and an answer counts once', async () => {
    const made = core();
    const [asked, second] = [ask(made), ask(made)];
    linesOf(made);
    say(made, ...['__proto__', 'constructor', {}, -1, 1.5].map((id) => ({ id, result: 0 })));
    made.feed(Buffer.from('{"id":1,"result":{"__proto__":{"x":1},"constructor":{"x":1}}}\n'));
    say(made, { id: 1, result: 'again' });
    assert.deepEqual(Object.keys(asked.result), ['__proto__', 'constructor']);
    assert.deepEqual([{}.x, asked.result.x, second.slot.isDone], [undefined, undefined, false]);
    const names = ['__proto__', 'constructor'];
    const surface = new Surface({ stack: true },
      { surface: 's1', stack: names, widgets: names.map((id) => ({ id })) }, () => {});
    assert.deepEqual((await surface.next()).value.map(({ id }) => id), names);
    surface.updated({ removed: ['toString', '__proto__'] });
    assert.deepEqual(surface.widgets, [{ id: 'constructor' }]);
  });

  test('answers of another shape harm nobody', () => {
    const made = core();
    const asked = [ask(made), ask(made), ask(made)];
    linesOf(made);
    say(made, { id: [1], result: 0 }, { id: true, result: 0 }, { id: '1', result: 0 });
    say(made, { id: 1, error: 'no' },
      { id: 2, error: { code: 'x', data: { suggestions: 5, meant: 6 } } });
    for (const { error } of asked.slice(0, 2)) {
      assert.deepEqual([error.code, error.suggestions, error.meant], [0, [], undefined]);
    }
    assert.equal(asked[2].slot.isDone, false);
  });

  test('what a newer daemon adds is kept or ignored', () => {
    const made = core(undefined, attached('s1'));
    const asked = ask(made);
    linesOf(made);
    say(made, { id: 1, result: { surface: 's2', widgets: [], new: 1 }, new: 1 },
      { method: 'widget.dance', params: [1], new: 1 },
      { method: 'surface.update', params: { surface: 's2', new: 1 } },
      { method: 'surface.update', params: { surface: 's2', widgets: [{ id: 'a', new: [1] }] } },
      { id: 2, result: { new: 1 }, new: 1 });
    assert.deepEqual(made.surfaces[0].widgets, [{ id: 'a', new: [1] }]);
    assert.deepEqual(asked.result, { new: 1 });
  });

  test('a surface that is attached too late takes the place of the first', async () => {
    // The daemon has ended the first surface: whoever iterates over it must not wait for ever.
    const made = core();
    const accept = (answer) => { made.endSurfaces(); made.surfaces = [attached(answer.surface)]; };
    for (const giveUp of [(slot) => made.giveUp(slot, 1000), (slot) => made.forget(slot)]) {
      const first = attached('s1');
      await first.next();
      made.surfaces = [first];
      const slot = made.ask('surface.attach', {}, accept, () => {});
      linesOf(made);
      giveUp(slot);
      say(made, { id: slot.number, result: { surface: 's2', widgets: [] } });
      assert.deepEqual(await first.next(), { value: undefined, done: true });
      assert.deepEqual([made.surfaces[0].id, made.late.size], ['s2', 0]);
    }
    const slot = made.ask('surface.attach', {}, accept, () => {});
    linesOf(made);
    made.giveUp(slot, 1000);
    made.ended('gone');
    assert.deepEqual([made.late.size, made.unsent.length], [0, 0]);
  });

  test('each request waits for a connection as long as it said', () => {
    const made = new Core(() => {});
    const slots = [1, 3].map((until) =>
      made.ask('daemon.ping', undefined, undefined, () => {}, until));
    made.failUnsent(new Error('none'), 2);
    assert.deepEqual(slots.map(({ isDone }) => isDone), [true, false]);
    made.failUnsent(new Error('none'));
    assert.ok(slots[1].isDone);
  });
});

describe('the model of a surface', () => {
  const widget = (id, more) => ({ id, family: 'systemSmall', ...more });
  const attach = (params, answer) => new Surface(params, { surface: 's1', ...answer }, () => {});
  const ids = (surface) => surface.widgets.map(({ id }) => id);

  test('updates change, add and remove', () => {
    const surface = attach({}, { widgets: [widget('a'), widget('b')] });
    assert.deepEqual(ids(surface), ['a', 'b']);
    surface.updated({ widgets: [widget('c'), widget('a', { x: 1 })], removed: ['b'] });
    assert.deepEqual(ids(surface), ['a', 'c']);
    assert.equal(surface.widgets[0].x, 1);
  });

  test("a stack is in the daemon's order", () => {
    const surface = attach(
      { stack: true }, { widgets: [widget('a'), widget('b')], stack: ['b', 'a'] });
    assert.deepEqual(ids(surface), ['b', 'a']);
    // The order may name a widget that a further update brings.
    surface.updated({ stack: ['c', 'a', 'b'], widgets: [] });
    assert.deepEqual(ids(surface), ['a', 'b']);
    surface.updated({ widgets: [widget('c')] });
    assert.deepEqual(ids(surface), ['c', 'a', 'b']);
  });

  test('only what is shown otherwise is news', () => {
    const surface = attach({}, { widgets: [widget('a')] });
    assert.ok(surface.take());
    surface.attached({ surface: 's2', widgets: [widget('a', { nextReload: 'later' })] });
    assert.equal(surface.take(), undefined);
    assert.equal(surface.id, 's2');
    surface.attached({ surface: 's3', widgets: [widget('a', { stale: true })] });
    assert.ok(surface.take());
    surface.updated({ widgets: [widget('a', { stale: true, nextReload: 'x' })] });
    assert.equal(surface.take(), undefined);
    surface.attached({ surface: 's4', widgets: [] });
    assert.deepEqual(surface.take(), { value: [] });
  });
});

// The socket

async function listener(t, where) {
  const server = net.createServer((connection) => {
    connection.on('data', (data) => server.received.push(data.toString()));
    connection.on('error', () => {});
  });
  server.received = [];
  server.listen(where);
  await once(server, 'listening');
  t.after(() => server.close());
  return server;
}

/** Makes a socket on which nobody listens. */
function leaveDeadSocket(where) {
  execFileSync('python3', ['-c',
    `import socket; socket.socket(socket.AF_UNIX).bind(${JSON.stringify(where)})`]);
}

describe('the place of the socket', () => {
  const usual = `/intentd-${process.getuid()}/intentd.sock`;

  test('it is found as the protocol says', () => {
    for (const [environment, where] of [
      [{ INTENTD_SOCKET: '/a/b' }, '/a/b'],
      [{ INTENTD_SOCKET: 'b', XDG_RUNTIME_DIR: '/run/u' }, '/run/u/intentd/intentd.sock'],
      [{ XDG_RUNTIME_DIR: 'run' }, '/tmp' + usual], [{ TMPDIR: '/var/tmp//' }, '/var/tmp' + usual],
      [{ TMPDIR: 'x' }, '/tmp' + usual], [{}, '/tmp' + usual],
    ]) assert.equal(intentd.socketPath(environment), where);
  });

  test('nobody there', TIME, async (t) => {
    const home = folder(t);
    leaveDeadSocket(home + '/dead');
    for (const where of ['/none', '/no/where', '/dead', '/' + 'x'.repeat(120)]) {
      await assert.rejects(new Client({ path: home + where }).daemonPing(), intentd.NoDaemon);
    }
    await assert.rejects(new Client({ path: home + '/none' }).connect(),
      /systemctl --user start intentd.socket/);
  });

  test('a folder that others may write is refused', TIME, async (t) => {
    const home = folder(t);
    const server = await listener(t, home + '/s');
    for (const mode of [0o770, 0o707, 0o777]) {
      fs.chmodSync(home, mode);
      await assert.rejects(new Client({ path: home + '/s' }).daemonPing(), intentd.UnsafeSocket);
    }
    for (const mode of [0o1777, 0o755]) { // as /tmp: nobody can replace another's socket
      fs.chmodSync(home, mode);
      (await new Client({ path: home + '/s' }).connect()).close();
    }
    assert.deepEqual(server.received, []);
  });

  test('the usual folder must be closed to others', TIME, async (t) => {
    const home = folder(t);
    fs.mkdirSync(home + '/intentd');
    const server = await listener(t, home + '/intentd/intentd.sock');
    const { XDG_RUNTIME_DIR, INTENTD_SOCKET } = process.env;
    t.after(() => {
      for (const [name, value] of Object.entries({ XDG_RUNTIME_DIR, INTENTD_SOCKET })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    process.env.XDG_RUNTIME_DIR = home;
    delete process.env.INTENTD_SOCKET;
    for (const mode of [0o755, 0o1777, 0o701]) {
      fs.chmodSync(home + '/intentd', mode);
      await assert.rejects(new Client().daemonPing(), intentd.UnsafeSocket);
    }
    fs.chmodSync(home + '/intentd', 0o700);
    (await new Client().connect()).close();
    assert.deepEqual(server.received, []);
  });

  test('a file of another kind or owner is refused', TIME, async (t) => {
    const home = folder(t);
    fs.writeFileSync(home + '/file', '');
    await assert.rejects(new Client({ path: home + '/file' }).daemonPing(), /no socket of yours/);
    const server = await listener(t, home + '/s');
    const { geteuid } = process;
    t.after(() => { process.geteuid = geteuid; });
    process.geteuid = () => geteuid() + 1;
    await assert.rejects(new Client({ path: home + '/s' }).daemonPing(), intentd.UnsafeSocket);
    process.geteuid = geteuid;
    if (geteuid() === 0) {
      fs.chownSync(home + '/s', 65534, 65534);
      await assert.rejects(new Client({ path: home + '/s' }).daemonPing(), intentd.UnsafeSocket);
      fs.chownSync(home, 65534, 65534);
      await assert.rejects(new Client({ path: home + '/s' }).daemonPing(), intentd.UnsafeSocket);
    } else {
      t.diagnostic('not all of it: only root can give a file away');
    }
    assert.deepEqual(server.received, []);
  });
});

/** Answers each request as a function says, and keeps the requests. */
async function fakeDaemon(t, answer) {
  const fake = { path: folder(t) + '/s', requests: [], connections: new Set() };
  fake.server = net.createServer((connection) => {
    fake.connections.add(connection);
    let text = '';
    connection.setEncoding('utf8');
    connection.on('error', () => {});
    connection.on('data', (data) => {
      text += data;
      const lines = text.split('\n');
      text = lines.pop();
      for (const line of lines) {
        fake.requests.push(JSON.parse(line));
        const answers = answer(fake.requests.at(-1));
        if (!answers) {
          connection.destroy();
          return;
        }
        for (const one of answers) {
          connection.write(JSON.stringify({ jsonrpc: '2.0', ...one }) + '\n');
        }
      }
    });
  });
  fake.listen = async () => {
    fake.server.listen(fake.path);
    await once(fake.server, 'listening');
  };
  fake.stop = async () => {
    const closed = once(fake.server, 'close');
    fake.server.close();
    for (const connection of fake.connections) connection.destroy();
    await closed;
  };
  await fake.listen();
  t.after(() => fake.server.listening && fake.stop());
  return fake;
}

describe('a fake daemon', () => {
  test('a request whose connection ends is not made again', TIME, async (t) => {
    const fake = await fakeDaemon(t, ({ id, method }) =>
      (method === 'widget.reloadAll' ? null : [{ id, result: {} }]));
    const client = new Client(fake);
    await assert.rejects(client.widgetReloadAll({ wait: true }), (error) =>
      error instanceof intentd.ConnectionLost && /may or may not have been done/.test(error));
    await client.daemonPing();
    client.close();
    assert.deepEqual(
      fake.requests.map(({ method }) => method), ['widget.reloadAll', 'daemon.ping']);
  });

  test('a refused connection says why', TIME, async (t) => {
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32002, message: 'close one' } };
    const where = folder(t) + '/s';
    const server = net.createServer((connection) => {
      connection.on('error', () => {});
      connection.end(JSON.stringify(refusal) + '\n');
    });
    server.listen(where);
    await once(server, 'listening');
    t.after(() => server.close());
    await assert.rejects(new Client({ path: where }).daemonPing(),
      { code: ErrorCode.tooManyConnections, message: 'close one' });
  });

  test('a daemon that ends each connection is not asked without a pause', TIME, async (t) => {
    for (const message of [
      { id: null, error: { code: ErrorCode.tooManyConnections, message: 'no room' } },
      { method: 'receipt.update', params: { receipt: {} } },
    ]) {
      const where = folder(t) + '/s';
      const server = net.createServer((connection) => {
        connection.on('error', () => {});
        connection.end(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
      });
      server.listen(where);
      await once(server, 'listening');
      t.after(() => server.close());
      // The clock stands still, and no pause takes time.
      const pauses = [];
      const { setTimeout } = globalThis;
      t.mock.method(performance, 'now', () => 1000);
      t.mock.method(globalThis, 'setTimeout', (resume, pause) => {
        pauses.push(pause);
        return setTimeout(resume, 0);
      });
      const client = new Client({ path: where });
      client.on('receipt.update', () => {});
      for (let count = 0; count < 4; count += 1) {
        const gone = once(client, 'disconnected');
        if (count === 0) await client.connect();
        await gone;
      }
      client.close();
      t.mock.restoreAll();
      assert.ok(pauses.length >= 3, `${pauses}`);
      assert.ok(pauses.every((pause) => pause >= intentd.RECONNECT_MIN / 2), `${pauses}`);
    }
  });

  test('half a line is no answer and spoils no other', TIME, async (t) => {
    const where = folder(t) + '/s';
    let turn = 0;
    const server = net.createServer((connection) => {
      connection.on('error', () => {});
      connection.once('data', (data) => {
        const answer = JSON.stringify({ id: JSON.parse(data).id, result: {} }) + '\n';
        turn += 1;
        if (turn === 1) connection.end(answer.slice(0, 12));
        else connection.write(answer.slice(0, 9), () => connection.write(answer.slice(9)));
      });
    });
    server.listen(where);
    await once(server, 'listening');
    t.after(() => server.close());
    const client = new Client({ path: where });
    await assert.rejects(client.daemonPing(), intentd.ConnectionLost);
    assert.deepEqual(await client.daemonPing(), {});
    client.close();
  });

  test('a notification of another shape harms no process', TIME, async (t) => {
    let isNonsense = true;
    const fake = await fakeDaemon(t, ({ id, method }) => {
      const answer = { id, result: { surface: 's1', widgets: [] } };
      if (method !== 'daemon.ping' || !isNonsense) return [answer];
      isNonsense = false;
      return [{ method: 'surface.update', params: { surface: 's1', widgets: 1 } }];
    });
    const client = new Client(fake);
    await client.surfaceAttach();
    await assert.rejects(client.daemonPing(), /surface.update is not as expected/);
    await client.daemonPing();
    client.close();
  });

  test('a request waits for the next daemon though a surface is attached', TIME, async (t) => {
    const fake = await fakeDaemon(t, ({ id }) => [{ id, result: { surface: 's1', widgets: [] } }]);
    const client = new Client({ ...fake, connectWithin: 60_000 });
    await client.surfaceAttach();
    const gone = once(client, 'disconnected');
    await fake.stop();
    await gone;
    leaveDeadSocket(fake.path);
    const { connect } = net;
    t.after(() => { net.connect = connect; });
    const failedOften = new Promise((done) => {
      let left = 6;
      net.connect = (...args) => connect(...args).once('error', () => {
        left -= 1;
        if (left === 0) done();
      });
    });
    const ping = client.daemonPing();
    await Promise.race([failedOften, ping]);
    fs.unlinkSync(fake.path);
    await fake.listen();
    await ping;
    client.close();
  });

  test('the time of a request is over before a daemon comes', TIME, async (t) => {
    const client = new Client({ path: folder(t) + '/none', connectWithin: Infinity });
    await assert.rejects(client.daemonPing({}, { timeout: 10 }), /no daemon for 0.01 s/);
    const outcomes = Promise.allSettled([client.daemonPing(), client.connect()]);
    client.close();
    for (const { reason } of await outcomes) assert.ok(reason instanceof intentd.Closed);
  });

  test('a request may be given up for any reason', TIME, async (t) => {
    const fake = await fakeDaemon(t, () => []);
    const client = new Client(fake);
    for (const reason of [null, 0, 'no time']) {
      const control = new AbortController();
      const ping = client.daemonPing({}, { signal: control.signal });
      control.abort(reason);
      await assert.rejects(ping, (error) => error === reason);
    }
    client.close();
  });

  test('nonsense from the daemon ends the connection', TIME, async (t) => {
    const fake = await fakeDaemon(t, ({ id }) => [{ id, result: [1] }]);
    const client = new Client(fake);
    await assert.rejects(client.surfaceAttach(), /not as expected/);
    client.close();
  });

  test('a daemon that accepts and goes is tried again', TIME, async (t) => {
    let refusals = 0;
    const fake = await fakeDaemon(t, ({ id }) => {
      if (refusals > 0) {
        refusals -= 1;
        return null;
      }
      return [{ id, result: { surface: 's1', widgets: [] } }];
    });
    const client = new Client(fake);
    const heard = [];
    client.on('connected', () => heard.push('connected'));
    client.on('disconnected', () => heard.push('disconnected'));
    await client.surfaceAttach();
    refusals = 3;
    const back = once(client, 'connected');
    for (const connection of fake.connections) connection.destroy();
    await back;
    client.close();
    assert.deepEqual(heard, ['connected', 'disconnected', 'connected']);
    assert.equal(fake.requests.length, 5);
  });
});

// A real daemon

/** Starts a daemon in a folder of its own, with the kinds of the test bed. */
async function startDaemon(t) {
  const home = folder(t, async () => daemon?.end('SIGTERM'));
  for (const name of ['run', 'config']) fs.mkdirSync(path.join(home, name), { mode: 0o700 });
  execFileSync('mkfifo', [home + '/gate']);
  const environment = { HOME: home, XDG_RUNTIME_DIR: home + '/run', TMPDIR: home, LANG: 'C.UTF-8' };
  for (const name of ['PATH', 'LD_LIBRARY_PATH']) {
    if (process.env[name]) environment[name] = process.env[name];
  }
  for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) {
    environment[`XDG_${name}_HOME`] = path.join(home, name.toLowerCase());
  }
  const daemon = { path: home + '/run/intentd/intentd.sock', environment, home };
  daemon.start = async () => {
    daemon.process = spawn(program,
      ['--config', home + '/config', '--widgets', path.join(PROJECT, 'Clients', 'testbed'),
        '--intents', path.join(PROJECT, 'Intents')], { env: environment, stdio: 'ignore' });
    daemon.exited = once(daemon.process, 'exit');
    (await new Client({ path: daemon.path, connectWithin: 60_000 }).connect()).close();
  };
  daemon.end = async (signal) => {
    if (!daemon.process) return;
    daemon.process.kill('SIGCONT');
    daemon.process.kill(signal);
    await daemon.exited;
    // The provider of the gate, which a killed daemon leaves waiting, ends, too.
    try {
      fs.closeSync(fs.openSync(home + '/gate', fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
    } catch {} // Nobody waits.
  };
  daemon.restart = async () => {
    await daemon.end('SIGKILL');
    await daemon.start();
  };
  daemon.client = (options) => {
    const client = new Client({ path: daemon.path, ...options });
    t.after(() => client.close());
    return client;
  };
  /** Waits until the provider of the gate waits; the returned function lets it answer. */
  daemon.gate = async () => {
    const gate = await fs.promises.open(home + '/gate', 'w');
    return () => gate.close();
  };
  await daemon.start();
  return daemon;
}

/** Places a widget, and waits for its first timeline. */
async function placeClock(client, id = 'clock') {
  const { receipt } = await client.widgetAdd({ kind: 'org.example.clock', id });
  await client.widgetReceipt({ id: receipt.id, wait: true });
}

async function nextOf(sequence) {
  const { value, done } = await sequence.next();
  assert.equal(done, false);
  return value;
}

describe('the methods', () => {
  const methods = [...PAGE.matchAll(/^### ([a-z]+\.[A-Za-z]+)$/gm)].map((found) => found[1]);
  const camel = (method) => method.replace(/\.(.)/, (_, first) => first.toUpperCase());

  test('each method of the protocol is here, with its parameters and no others', WITH_DAEMON,
    async (t) => {
      assert.ok(methods.length > 30);
      const client = (await startDaemon(t)).client();
      const source = fs.readFileSync(FILE, 'utf8');
      for (const method of methods) {
        assert.equal(
          typeof client[camel(method)], 'function', `intentd.mjs has no ${camel(method)}`);
        const refusal = await client.call(method, { nosuch: 1 }).catch((error) => error);
        const wire = refusal.data.expected.replace('this method takes ', '');
        let [, types] = source.match(
          new RegExp(`@param \\{((?:(?!@param)[^])*?)\\} \\[?params\\b(?:(?!@param)[^])*`
            + `@param \\{Options\\} \\[options\\](?:(?!@param)[^])*?\\n  ${camel(method)}\\(`));
        if (types === 'SurfaceParams') {
          [, types] = source.match(/@typedef \{((?:(?!@typedef)[^])*)\} SurfaceParams/);
        }
        // Only the names at the first level: { a?: string, b: { c: number } }
        const names = [];
        let depth = 0;
        for (const [token] of types.matchAll(/[{([<]|[})\]>]|\w+(?=\??:)/g)) {
          if ('{([<'.includes(token)) depth += 1;
          else if ('})]>'.includes(token)) depth -= 1;
          else if (depth === 1) names.push(token);
        }
        assert.deepEqual(names.sort(),
          wire === 'no parameters' ? [] : wire.split(', ').sort(), method);
      }
    });

  test('each error and limit of the protocol is here', () => {
    const rows = [...PAGE.matchAll(/^\| −(\d+) \|(?: (\w+))? \|/gm)];
    assert.ok(rows.length > 25);
    assert.deepEqual(rows.map(([, code]) => -code).sort(), Object.values(ErrorCode).sort());
    for (const [, code, name] of rows) if (name) assert.equal(ErrorCode[name], -code);
    assert.match(PAGE, new RegExp(
      `\\| bytes in one line \\| ${intentd.REQUEST_BYTES_MAX.toLocaleString('en')} \\|`));
  });

  test('the types for TypeScript name everything that is exported', () => {
    const types = fs.readFileSync(path.join(HERE, 'intentd.d.mts'), 'utf8');
    for (const name of Object.keys(intentd)) {
      if (name === 'Core') continue;
      assert.match(types, new RegExp(`^export (class|const|function) ${name}\\b`, 'm'));
    }
    for (const method of methods) assert.match(types, new RegExp(`^    ${camel(method)}[(<]`, 'm'));
  });

  test('the requests of a day', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    let sent = await client.intentSend({ text: 'show weather for Beijing', wait: true });
    assert.deepEqual(sent.intent, { name: 'ShowWeather', parameters: { city: 'Beijing' } });
    assert.equal(sent.entry.content.title, 'Beijing');
    const { needs } = await client.intentSend({ intent: 'ShowWeather' });
    assert.deepEqual([needs.reason, needs.parameter], ['value', 'city']);
    sent = await client.intentSend({ resume: needs.token, choice: 'Rome', wait: true });
    assert.equal(sent.entry.content.title, 'Rome');
    assert.ok((await client.intentRecognize({ text: 'weather in Oslo', spans: true })).matched);
    const { completions } = await client.intentComplete({ text: 'weather in Os', limit: 3 });
    assert.ok(completions.some(({ sentence }) => sentence === 'weather in Oslo'));
    await client.intentDonate(
      { intent: 'ShowWeather', parameters: { city: 'Rome' }, date: new Date() });
    const opened = await client.urlOpen({ url: 'weather://city/Rome' });
    assert.equal(opened.intent.name, 'ShowWeather');
    const { widget: { id } } = await client.widgetAdd(
      { kind: 'org.example.weather', parameters: { city: 'Lima' } });
    await client.widgetConfigure({ id, family: 'accessoryInline' });
    const { receipts } = await client.widgetReload({ id, wait: true });
    assert.equal(receipts[0].state, 'done');
    assert.equal((await client.widgetTimeline({ id })).entries[0].content.title, 'Lima');
    assert.equal((await client.widgetBudget({ id })).id, id);
    const menu = await client.widgetOpenMenu({ id });
    assert.deepEqual([menu.run, menu.widget.id], ['none', id]);
    assert.ok((await client.stackOrder({ ids: true })).ids.includes(id));
    assert.ok((await client.stackExplain({ id })).widgets[0].contributions);
    assert.deepEqual(await client.stackDismiss({ id }), { dismissed: id });
    assert.deepEqual(await client.widgetRemove({ id }), { removed: id });
    assert.equal((await client.intentSetList({ name: 'cities', add: ['Oz'] })).name, 'cities');
    assert.deepEqual(await client.donationSetPrivate({ on: false }), { private: false });
    assert.ok((await client.donationForget({ all: true })).forgotten > 0);
    assert.deepEqual((await client.daemonReloadConfiguration()).issues, []);
    assert.equal((await client.daemonHistory({ limit: 3 })).entries.length, 3);
    assert.match((await client.daemonMetrics()).text, /intentd_requests_total/);
    assert.equal((await client.galleryList()).kinds.length, 3);
    const { kinds: [clock] } = await client.galleryList({
      kind: 'org.example.clock', previews: true, language: 'de_DE' });
    assert.equal(clock.preview.locale, 'de_DE');
    assert.ok(clock.preview.entry.content);
    assert.ok((await client.intentList()).intents.some(({ name }) => name === 'ShowWeather'));
    assert.equal((await client.daemonStatus()).protocol, intentd.PROTOCOL);
  });

  test('a widget is placed with questions', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    const kind = 'org.example.weather';
    const asked = await client.widgetAdd({ kind, id: 'weather', ask: true, wait: true });
    assert.deepEqual(Object.keys(asked), ['needs']);
    const { needs } = asked;
    assert.deepEqual(
      [needs.reason, needs.parameter, needs.otherValues], ['value', 'city', true]);
    assert.ok(needs.valueCount > needs.values.length);
    const placed = await client.intentSend({ resume: needs.token, choice: 'Rome', wait: true });
    assert.deepEqual([placed.widget.id, placed.receipt.state], ['weather', 'done']);
    assert.equal(placed.widget.entry.content.title, 'Rome');
    await assert.rejects(client.widgetAdd({ kind }), { code: ErrorCode.invalidParameter });
    const again = await client.widgetConfigure({ id: 'weather', parameters: {}, ask: true });
    assert.equal(again.needs.parameter, 'city');
    const changed = await client.widgetConfigure(
      { id: 'weather', parameters: { city: 'Oslo' }, wait: true });
    assert.equal(changed.widget.entry.content.title, 'Oslo');
  });

  test('a widget is loaded before the answer to a client that waits', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const placing = daemon.client().widgetAdd({ kind: 'org.example.gate', id: 'gate', wait: true });
    await (await daemon.gate())();
    const { widget, receipt } = await placing;
    assert.deepEqual([textOf([widget]), receipt.state], ['open', 'done']);
  });

  test('a removal and a dismissal are undone', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    for (const id of ['one', 'two', 'three']) await placeClock(client, id);
    assert.deepEqual(
      await client.widgetRemove({ ids: ['one', 'two'] }), { removed: ['one', 'two'] });
    await client.stackDismiss({ id: 'three' });
    assert.deepEqual(await client.widgetRestore(), { undone: 'dismissed', widgets: ['three'] });
    await placeClock(client, 'one');
    assert.deepEqual(await client.widgetRestore(),
      { undone: 'removed', widgets: ['one-2', 'two'], renamed: { one: 'one-2' } });
    await client.widgetRemove({ id: 'two' });
    await daemon.end('SIGKILL');
    await daemon.start();
    const back = daemon.client();
    assert.deepEqual(await back.widgetRestore(), { undone: 'removed', widgets: ['two'] });
    await assert.rejects(back.widgetRestore(), { code: ErrorCode.nothingToUndo });
  });

  test('a slip is understood, or told to a strict sender', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    const sent = await client.intentSend({ text: 'show wether for Beijing' });
    assert.deepEqual(sent.intent, { name: 'ShowWeather', parameters: { city: 'Beijing' } });
    assert.equal(sent.understood.sentence, 'show weather for Beijing');
    assert.deepEqual(
      sent.understood.changes, [{ said: 'wether', taken: 'weather', why: 'slip' }]);
    const exact = await client.intentSend({ text: 'show weather for Beijing' });
    assert.equal(exact.understood, undefined);
    await assert.rejects(client.intentSend({ text: 'show wether for Beijing', strict: true }),
      { meant: 'show weather for Beijing' });
    await assert.rejects(
      client.intentSend({ text: 'sing me a song about trees' }), { meant: undefined });
  });

  test('the status has the members that are typed', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const status = await daemon.client().daemonStatus();
    const source = fs.readFileSync(FILE, 'utf8');
    const typed = (name) => [...source.match(
      new RegExp(`@typedef \\{((?:(?!@typedef)[^])*)\\} ${name}\\n`))[1]
      .matchAll(/(\w+)\??:/g)].map((found) => found[1]);
    const names = new Set([...typed('Status'), ...typed('Configuration')]);
    assert.deepEqual(Object.keys(status).filter((name) => !names.has(name)), []);
    assert.equal(status.newerInstalled, false);
    assert.equal(status.folders[0], path.join(PROJECT, 'Clients', 'testbed'));
  });

  test('a refusal tells what a program needs', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    await placeClock(client);
    await assert.rejects(client.widgetRemove({ id: 'clocks' }), (error) => {
      assert.ok(error instanceof intentd.Refused && error instanceof intentd.IntentdError);
      assert.deepEqual(
        [error.name, error.code, error.codeName, error.suggestions, error.method],
        ['Refused', ErrorCode.unknownWidget, 'unknownWidget', ['clock'], 'widget.remove']);
      return /did you mean 'clock'\?/.test(error.message);
    });
    await assert.rejects(
      client.widgetPush({ id: 'clock', timeline: { entries: [{ date: 'soon', content: {} }] } }),
      (error) => error.data.path === 'entries[0].date');
    await assert.rejects(
      client.call('widget.dance'), { code: ErrorCode.methodNotFound, codeName: '' });
  });

  test('text of every script comes back as it went', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    await placeClock(client);
    const text = 'Grüße, 北京 😀 \u200f\u0627 \x00\x01\x1f \u2028 "\\/ 𐍈';
    await client.widgetPush({ id: 'clock', timeline: timeline(text) });
    const { entries } = await client.widgetTimeline({ id: 'clock' });
    assert.equal(entries[0].content.text, text);
  });

  test('large requests and answers', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    await placeClock(client);
    const start = Date.now() + 86_400_000;
    const entries = Array.from({ length: 1_440 }, (_, minute) => (
      { date: new Date(start + minute * 60_000), content: { text: 'ü'.repeat(1_300) } }));
    const { receipt } = await client.widgetPush({ id: 'clock', timeline: { entries } });
    assert.equal(receipt.state, 'done');
    const answer = await client.widgetTimeline({ id: 'clock' });
    // The entry that is shown now stays until the first of these begins.
    assert.equal(answer.entries.length, 1_440);
    assert.equal(answer.entries.at(-1).content.text, 'ü'.repeat(1_300));
    await assert.rejects(
      client.widgetPush({ id: 'clock', timeline: timeline('x'.repeat(4_194_304)) }),
      (error) => error instanceof intentd.RequestTooLarge && /4194304 are allowed/.test(error));
    assert.deepEqual(await client.daemonPing(), {});
  });
});

describe('surfaces', () => {
  test('a surface tells the session that it is in', WITH_DAEMON, async (t) => {
    const own = intentd.sessionVariables({
      DISPLAY: ':7', SWAYSOCK: '/run/sway.sock', SECRET: 'no', I3SOCK: 'a\nb',
      NIRI_SOCKET: 'n'.repeat(4_097),
    });
    assert.deepEqual(own, { DISPLAY: ':7', SWAYSOCK: '/run/sway.sock' });
    assert.equal(intentd.sessionVariables({ SWAYSOCK: '/run/sway.sock' }), undefined);
    const client = (await startDaemon(t)).client();
    await client.surfaceAttach({ session: own, appearance: 'dark' });
    await client.surfaceAttach({ session: true });
    await assert.rejects(client.surfaceAttach({ session: { PATH: '/tmp' } }), (error) => {
      assert.equal(error.data.parameter, 'session');
      return true;
    });
  });

  test('a surface shows everything at once and then each change', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const [client, other] = [daemon.client(), daemon.client()];
    await placeClock(other);
    const surface = await client.surfaceAttach({ families: ['systemSmall'] });
    assert.equal(textOf(await nextOf(surface)), 'eight');
    await other.widgetPush({ id: 'clock', timeline: timeline('nine') });
    assert.equal(textOf(await nextOf(surface)), 'nine');
    await other.widgetRemove({ id: 'clock' });
    assert.deepEqual(await nextOf(surface), []);
  });

  test('several surfaces share a client', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const [client, other] = [daemon.client(), daemon.client()];
    await placeClock(other);
    const first = await client.surfaceAttach();
    const second = await client.surfaceAttach({ add: true });
    assert.notEqual(first.id, second.id);
    await Promise.all([nextOf(first), nextOf(second)]);
    await other.widgetPush({ id: 'clock', timeline: timeline('nine') });
    assert.equal(textOf(await nextOf(first)), 'nine');
    assert.equal(textOf(await nextOf(second)), 'nine');
    await client.surfaceDetach({ surface: second.id });
    assert.equal((await second.next()).done, true);
    assert.equal((await other.daemonStatus()).surfaces, 1);
    const third = await client.surfaceAttach({ surface: first.id });
    assert.equal(third.id, first.id);
    assert.equal((await first.next()).done, true);
  });

  test('several surfaces outlive the daemon', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await placeClock(client);
    const surfaces = [await client.surfaceAttach(), await client.surfaceAttach({ add: true })];
    for (const surface of surfaces) assert.equal(textOf(await nextOf(surface)), 'eight');
    await daemon.restart();
    await daemon.client().widgetPush({ id: 'clock', timeline: timeline('after') });
    for (const surface of surfaces) assert.equal(textOf(await nextOf(surface)), 'after');
    assert.equal((await client.daemonStatus()).surfaces, 2);
  });

  test('a stack is in order and says so when it changes', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const [client, other] = [daemon.client(), daemon.client()];
    await placeClock(other, 'one');
    await placeClock(other, 'two');
    const surface = await client.surfaceAttach({ stack: true });
    const first = (await nextOf(surface)).map(({ id }) => id);
    await other.stackDismiss({ id: first[0] });
    const second = (await nextOf(surface)).map(({ id }) => id);
    assert.deepEqual(second, [...first].reverse());
  });

  test('updates arrive in order', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const [client, other] = [daemon.client(), daemon.client()];
    await placeClock(other);
    const heard = [];
    await client.surfaceAttach();
    const last = new Promise((done) => {
      client.on('surface.update', ({ widgets }) => {
        heard.push(Number(textOf(widgets)));
        if (heard.at(-1) === 199) done();
      });
    });
    await Promise.all(Array.from({ length: 200 }, (_, number) =>
      other.widgetPush({ id: 'clock', timeline: timeline(String(number)) })));
    await last;
    assert.deepEqual(heard, [...heard].sort((a, b) => a - b));
  });

  test('a hidden surface hears nothing until it is seen', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const [client, other] = [daemon.client(), daemon.client()];
    await placeClock(other);
    const surface = await client.surfaceAttach();
    await nextOf(surface);
    await client.surfaceVisibility({ visible: false });
    await other.widgetPush({ id: 'clock', timeline: timeline('unseen') });
    await client.daemonPing();
    assert.equal(surface.take(), undefined);
    await client.surfaceVisibility({ visible: true });
    assert.equal(textOf(await nextOf(surface)), 'unseen');
  });

  test('a surface hears of each configuration over restarts', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await client.surfaceAttach({ configuration: true });
    const hears = async () => {
      const [heard, counts] = await Promise.all([
        once(client, 'configuration.update'), daemon.client().daemonReloadConfiguration()]);
      assert.deepEqual(heard, [{ ...counts, issueCount: 0 }]);
    };
    await hears();
    const back = once(client, 'connected');
    await daemon.restart();
    await back;
    await hears();
  });

  test('a second surface takes the place of the first', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    const first = await client.surfaceAttach();
    await nextOf(first);
    const second = await client.surfaceAttach();
    assert.deepEqual(await first.next(), { value: undefined, done: true });
    assert.deepEqual(await nextOf(second), []);
  });
});

describe('restarts of the daemon', () => {
  test('a surface outlives the daemon', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    const heard = [];
    client.on('connected', () => heard.push('connected'));
    client.on('disconnected', () => heard.push('disconnected'));
    await placeClock(client);
    const surface = await client.surfaceAttach();
    assert.equal(textOf(await nextOf(surface)), 'eight');
    const next = nextOf(surface);
    const back = once(client, 'disconnected').then(() => once(client, 'connected'));
    await daemon.restart();
    await back;
    // The same widgets are no news; the first change is.
    await daemon.client().widgetPush({ id: 'clock', timeline: timeline('after') });
    assert.equal(textOf(await next), 'after');
    assert.deepEqual(heard, ['connected', 'disconnected', 'connected']);
  });

  test('a hidden surface comes back hidden', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await placeClock(client);
    const surface = await client.surfaceAttach();
    await client.surfaceVisibility({ visible: false });
    await nextOf(surface);
    const back = once(client, 'connected');
    await daemon.restart();
    await back;
    await client.widgetPush({ id: 'clock', timeline: timeline('unseen') });
    assert.equal((await client.daemonStatus()).watched, 0);
    assert.equal(surface.take(), undefined);
    await client.surfaceVisibility({ visible: true });
    assert.equal(textOf(await nextOf(surface)), 'unseen');
  });

  test('an app outlives the daemon in its state', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await placeClock(client);
    const app = await client.appRegister({ app: 'org.example.App' });
    assert.deepEqual(app.kinds, ['org.example.clock']);
    await client.appState({ state: 'foreground' });
    const tap = nextOf(app);
    const back = once(client, 'connected');
    await daemon.restart();
    await back;
    assert.equal((await daemon.client().widgetTap({ id: 'clock' })).opened, 'app');
    assert.deepEqual(await tap, {
      widget: 'clock', kind: 'org.example.clock', family: 'systemSmall', url: 'clock://now' });
    const { receipts } = await client.widgetReloadAll();
    assert.deepEqual(receipts.map(({ cause }) => cause), ['hostForeground']);
  });

  test('an app knows its widgets and configures them', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    const app = await client.appRegister({ app: 'org.example.App' });
    assert.deepEqual([app.widgets, app.groups, app.knowsAllWidgets], [[], {}, true]);
    const other = daemon.client();
    let told = once(client, 'app.widgetsChanged');
    await placeClock(other);
    const widget = {
      id: 'clock', kind: 'org.example.clock', family: 'systemSmall', suggestion: false };
    assert.deepEqual((await told)[0].changes, [{ change: 'placed', widget }]);
    assert.deepEqual(app.widgets, [widget]);
    told = once(client, 'app.widgetsChanged');
    await client.widgetConfigure({ id: 'clock', family: 'accessoryInline' });
    assert.equal((await told)[0].changes[0].change, 'moved');
    assert.deepEqual(app.widgets, [{ ...widget, family: 'accessoryInline' }]);
    told = once(client, 'app.widgetsChanged');
    await other.widgetRemove({ id: 'clock' });
    assert.equal((await told)[0].changes[0].change, 'removed');
    assert.deepEqual(app.widgets, []);
    await other.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    await assert.rejects(client.widgetConfigure({ id: 'gate', family: 'systemSmall' }),
      { code: intentd.ErrorCode.foreignWidget });
  });

  test('a daemon that dies in a request is told and shown again', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await client.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    const surface = await client.surfaceAttach({ stack: true });
    const before = await nextOf(surface);
    const lost = assert.rejects(
      client.widgetReload({ id: 'gate', wait: true }), intentd.ConnectionLost);
    await client.daemonPing();
    const gone = once(client, 'disconnected');
    await daemon.end('SIGKILL');
    await lost;
    assert.match((await gone)[0], /closed/);
    const back = once(client, 'connected');
    await daemon.start();
    await back;
    assert.equal((await client.daemonStatus()).surfaces, 1);
    const { ids } = await client.stackOrder({ surface: surface.id, ids: true });
    assert.deepEqual(ids, before.map(({ id }) => id));
  });

  test('a request under way is lost and not made again', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await client.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    const open = await daemon.gate();
    const answer = client.widgetReload({ id: 'gate', wait: true });
    const lost = assert.rejects(answer, intentd.Unanswered);
    await client.daemonPing();
    await daemon.end('SIGKILL');
    await lost;
    await open();
    await assert.rejects(client.daemonPing(), intentd.NoDaemon);
    await daemon.start();
    assert.deepEqual(await client.daemonPing(), {});
  });

  test('a request with a key takes effect once', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    const add = () => client.widgetAdd({ kind: 'org.example.clock' }, { key: 'k1' });
    const added = await add();
    await daemon.end('SIGKILL');
    await daemon.start();
    assert.deepEqual(await add(), added);
    assert.equal((await client.widgetList()).widgets.length, 1);
    await assert.rejects(
      client.widgetRemove({ id: 'clock' }, { key: 'k1' }), { code: intentd.ErrorCode.keyReused });
  });

  test('a client may wait for a daemon to come', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    await daemon.end('SIGKILL');
    const ping = daemon.client({ connectWithin: 60_000 }).daemonPing();
    await daemon.start();
    assert.deepEqual(await ping, {});
  });
});

describe('pressure', () => {
  test('a daemon that does not read makes nobody wait for ever', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await placeClock(client);
    daemon.process.kill('SIGSTOP');
    const large = { id: 'clock', timeline: timeline('x'.repeat(1_000_000)) };
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => client.widgetPush(large, { timeout: 50 })));
    assert.deepEqual(outcomes.map(({ reason }) => reason.name),
      ['AnswerTimeout', 'NotRead', 'NotRead']);
    daemon.process.kill('SIGCONT');
    assert.deepEqual(await client.daemonPing(), {});
  });

  test("thousands of answers larger than the daemon's queue", WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    await placeClock(client);
    await client.widgetPush({ id: 'clock', timeline: timeline('x'.repeat(50_000)) });
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => client.widgetList()));
    assert.ok(answers.every(({ widgets }) => textOf(widgets).length === 50_000));
  });

  test('more requests wait than the daemon lets wait', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    const { receipt: { id } } = await client.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    const waiting = Array.from({ length: 300 }, () => client.widgetReceipt({ id, wait: true }));
    // Others are answered meanwhile: this one behind the refusals of the 44 that are too many.
    await client.daemonPing();
    await (await daemon.gate())();
    for (const { receipt } of await Promise.all(waiting)) assert.equal(receipt.state, 'done');
  });

  test('a request that is given up disturbs nobody', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    await client.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    const control = new AbortController();
    const waiting = client.widgetReload({ id: 'gate', wait: true }, { signal: control.signal });
    await client.daemonPing();
    control.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(client.daemonPing({}, { signal: control.signal }), { name: 'AbortError' });
    await assert.rejects(
      client.widgetReload({ id: 'gate', wait: true }, { timeout: 20 }), intentd.AnswerTimeout);
    assert.deepEqual(await client.daemonPing(), {});
  });
});

/** Runs a program to its end. */
async function run(daemon, args, { input, environment } = {}) {
  const child = spawn(process.execPath, args, { env: { ...daemon.environment, ...environment } });
  const output = { out: '', err: '' };
  child.stdout.on('data', (data) => { output.out += data; });
  child.stderr.on('data', (data) => { output.err += data; });
  child.stdin.end(input);
  [output.code] = await once(child, 'close');
  return output;
}

describe('the end', () => {
  test('close ends iterations and requests', WITH_DAEMON, async (t) => {
    const client = (await startDaemon(t)).client();
    const { receipt: { id } } = await client.widgetAdd({ kind: 'org.example.gate', id: 'gate' });
    const [surface, app] = [
      await client.surfaceAttach(), await client.appRegister({ app: 'org.example.App' })];
    await nextOf(surface);
    const waiting = assert.rejects(
      client.widgetReceipt({ id, wait: true }), intentd.ConnectionLost);
    const items = Promise.all([surface.next(), app.next()]);
    await client.daemonPing();
    client.close();
    assert.ok((await items).every(({ done }) => done));
    await waiting;
    await assert.rejects(client.daemonPing(), intentd.Closed);
    client.close();
  });

  test('a program that waits for nothing ends by itself', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const script = `
      import { Client } from ${JSON.stringify(FILE)};
      const daemon = new Client();
      await daemon.surfaceAttach();
      await daemon.appRegister({ app: 'org.example.App' });
      console.log(await daemon.daemonPing());`;
    assert.deepEqual(await run(daemon, ['--input-type=module'], { input: script }),
      { out: '{}\n', err: '', code: 0 });
  });

  test('a program whose requests are over does not wait for a daemon', TIME, async (t) => {
    const script = `
      import { Client } from ${JSON.stringify(FILE)};
      const path = ${JSON.stringify(folder(t) + '/none')};
      const daemon = new Client({ path, connectWithin: Infinity, timeout: 50 });
      await daemon.daemonPing().catch((error) => console.log(error.name));`;
    assert.deepEqual(
      await run({ environment: process.env }, ['--input-type=module'], { input: script }),
      { out: 'NoDaemon\n', err: '', code: 0 });
  });

  test('the file is a program that shows the stack', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    await placeClock(daemon.client());
    assert.deepEqual(await run(daemon, [FILE]), { out: 'clock\teight\n', err: '', code: 0 });
    assert.equal((await run(daemon, [FILE, '--help'])).code, 0);
    assert.equal((await run(daemon, [FILE, 'dance'])).code, 64);
    assert.deepEqual(await run(daemon, [FILE], { environment: { INTENTD_SOCKET: '/nowhere/s' } }), {
      out: '', code: 69, err: 'intentd.mjs: no daemon is listening on /nowhere/s; start it with: '
        + 'systemctl --user start intentd.socket\n' });
  });

  test('each program of docs/NODE.md does what it says', WITH_DAEMON, async (t) => {
    const daemon = await startDaemon(t);
    const client = daemon.client();
    await placeClock(client);
    await client.widgetAdd(
      { kind: 'org.example.weather', id: 'weather', parameters: { city: 'Rome' } });
    const page = fs.readFileSync(path.join(PROJECT, 'docs', 'NODE.md'), 'utf8');
    const programs = [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map((found) => found[1]);
    assert.ok(programs.length > 3);
    for (const text of programs) {
      const script = text.replaceAll("'./intentd.mjs'", JSON.stringify(FILE));
      const child = spawn(process.execPath, ['--input-type=module'], { env: daemon.environment });
      child.stdin.end(script);
      let errors = '';
      child.stderr.on('data', (data) => { errors += data; });
      const isEndless = /for await/.test(text);
      const closed = once(child, 'close');
      if (isEndless) {
        // The programs that wait for a tap hear one.
        const tapping = setInterval(() => client.widgetTap({ id: 'clock' }).catch(() => {}), 50);
        await once(child.stdout, 'data');
        clearInterval(tapping);
        child.kill();
      }
      assert.deepEqual([...await closed, errors], isEndless ? [null, 'SIGTERM', ''] : [0, null, ''],
        script);
    }
  });
});

// What a surface shows

const NOW = new Date('2026-11-20T08:00:00Z');
const live = (style, seconds) => (
  { date: new Date(NOW.getTime() + seconds * 1000).toISOString(), style });

describe('live dates and lines', () => {
  test('the words are those of intent-send', () => {
    for (const [style, seconds, text] of [
      ['relative', 4, 'now'], ['relative', -4, 'now'], ['relative', 45, 'in 45 s'],
      ['relative', 60, 'in 1 min'], ['relative', -180, '3 min ago'], ['relative', 10_440, 'in 2 h'],
      ['relative', -432_000, '5 d ago'], ['new style', 3_600, 'in 1 h'], ['timer', 299, '04:59'],
      ['timer', -5, '00:05'], ['timer', 133_201, '37:00:01'], ['offset', 259_200, '+3 d'],
      ['offset', -90, '-1 min'], ['offset', 0, '+0 s'],
    ]) assert.equal(intentd.liveText(live(style, seconds), NOW), text);
    assert.equal(intentd.liveText('words', NOW), 'words');
    assert.equal(intentd.liveText({ date: 'soon', style: 'timer' }, NOW), 'soon');
  });

  test('text in runs reads without its styles', () => {
    const line = { runs: [{ text: 'load ' }, { text: '5.00', color: '#ff0000', bold: true }] };
    assert.equal(intentd.liveText(line, NOW), 'load 5.00');
    assert.deepEqual(intentd.textLines(['a', line], NOW), ['a', 'load 5.00']);
    const entry = { date: NOW.toISOString(), content: { title: line, text: '3 days' } };
    assert.equal(intentd.oneLine({ name: 'x', entry }, NOW), 'load 5.00: 3 days');
    assert.equal(intentd.millisecondsToTick(line, NOW), undefined);
  });

  test('the tick is when the text changes', () => {
    for (const style of ['relative', 'timer', 'offset']) {
      for (let turn = 0; turn < 2_000; turn += 1) {
        const size = [1, 100, 10_000, 1_000_000][turn % 4];
        const seconds = Math.round(size * (Math.random() * 2 - 1) * 1000) / 1000;
        const line = live(style, seconds);
        const tick = intentd.millisecondsToTick(line, NOW);
        const [before, after] = [Math.max(0, tick - 1.1), tick].map((at) =>
          intentd.liveText(line, new Date(NOW.getTime() + at)));
        assert.equal(before, intentd.liveText(line, NOW));
        if (before !== 'now' && after !== 'now' && Math.abs(seconds) >= 2) {
          assert.notEqual(before, after, JSON.stringify([line, tick]));
        }
      }
    }
  });

  test('live dates are found wherever they are', () => {
    const widget = { entry: { date: '2026-11-20T08:00:00Z', content: {
      text: ['x', live('relative', 5_400)], items: [{ text: live('timer', 10.25) }] } } };
    assert.equal(intentd.millisecondsToTick([widget], NOW), 251);
    delete widget.entry.content.items;
    assert.equal(intentd.millisecondsToTick([widget], NOW), 1_800_001);
    const none = [{ text: 'x', percentage: 3, a: null }];
    assert.equal(intentd.millisecondsToTick(none, NOW), undefined);
  });

  test('a widget on one line', () => {
    for (const [content, line] of [
      [{ short: '3°', title: 'Beijing', text: '3° clear' }, '3°'],
      [{ title: 'Beijing', text: ['3° clear', 'more'] }, 'Beijing: 3° clear'],
      [{ title: 'Same', text: 'Same' }, 'Same'], [{ text: '' }, 'Weather'],
      [{ percentage: 42 }, '42%'], [{ percentage: 0 }, '0%'], [{}, 'Weather'],
      [{ text: live('timer', 300) }, '05:00'],
      [{ title: 'a\nb', text: '\x1b[2Jc' }, 'a: \\x1B[2Jc'],
    ]) assert.equal(intentd.oneLine({ name: 'Weather', entry: { content } }, NOW), line);
    assert.equal(intentd.oneLine({ name: 'Weather' }), 'Weather');
  });

  test('foreign text cannot steer a terminal', () => {
    for (const [text, safe] of [
      ['plain', 'plain'], ['3° klar, 北京 😀', '3° klar, 北京 😀'],
      ['a\r\nb\tc\x85d\u2028', 'a b c d '], ['\x1b[2J\x9b\x00', '\\x1B[2J\\x9B\\x00'],
      ['exe.\u202egpj\u2066\u200e', 'exe.gpj'], ['pay\u200bpal\ufeff', 'paypal'],
      ['👨\u200d👩', '👨\u200d👩'], ['❤\ufe0f', '❤\ufe0f'], ['\ud800', '\ufffd'],
      ['a\ufe00\u{e0101}b', 'ab'], ['\u3164\u115fc', 'c'],
    ]) assert.equal(intentd.printable(text), safe);
  });
});
