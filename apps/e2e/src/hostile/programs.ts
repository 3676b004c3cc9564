import { type Attack, sent, tested, track } from './attack.js';

/** User code by the name that an event selects it by. Each program runs in a test and live. */
const PROGRAMS: Record<string, string> = {
  'a loop': 'for (;;);',
  'a loop of promises': 'return (async () => { for (;;) await null; })();',
  'a pattern that goes back': "/^(a+)+$/.test('a'.repeat(40) + '!'); return event;",
  'a polynomial pattern': "/a*a*a*a*b/.test('a'.repeat(5000)); return event;",
  recursion: 'const f = () => f() + 1; f();',
  'arrays without end': 'const all = []; for (;;) all.push(new Array(1e5).fill(1));',
  'texts without end': "let text = 'x'; for (;;) text += text;",
  'buffers without end': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
  'promises without end': 'const all = []; for (;;) all.push(Promise.resolve(1).then(() => all));',
  'a stack of lines and brackets':
    "throw Object.assign(new Error(), { stack: 'E' + '\\n'.repeat(1200) + ' at ' + ' ('.repeat(900) + ':1'.repeat(500) + 'x' });",
  'a stack of numbers': "throw { stack: 'E\\n at ' + ' ('.repeat(900) + ':1'.repeat(1000) + ')' };",
  'a stack of words of ours': "throw { stack: 'E' + '\\n at weir:'.repeat(400) };",
  'a message of megabytes': "throw new Error('x'.repeat(5e6));",
  'a stack that is prepared': 'Error.prepareStackTrace = () => { for (;;); }; throw new Error();',
  'a flood of logs': "for (let n = 0; n < 1e6; n += 1) log('x'.repeat(100)); return event;",
  'one log of megabytes': "log('x'.repeat(1e7)); return event;",
  'a result of zeros': 'return { list: new Array(430000).fill(0) };',
  'a result of small objects': 'return { list: new Array(280000).fill({}) };',
  'a result of escapes': "return { text: '\\u0001'.repeat(140000) };",
  'a result of keys': 'const o = {}; for (let n = 0; n < 60000; n += 1) o["key" + n] = n; return o;',
  'a result that is deep': 'let o = {}; for (let n = 0; n < 3000; n += 1) o = { o }; return o;',
  'a result that is too large': "return { text: 'x'.repeat(5e6) };",
  'a fan-out of many': 'return new Array(50000).fill({ type: "track", userId: "m" });',
  'a result that writes itself': 'return { toJSON() { for (;;); } };',
  'calls of fetch':
    "return Promise.all(Array.from({ length: 5000 }, () => fetch('http://127.0.0.1:1/'))).then(() => event);",
  'forged calls of fetch':
    "const push = Array.prototype.push; Array.prototype.push = function (ask) { for (let n = 0; n < 20000; n += 1) push.call(this, ask); return 1; }; return fetch('http://127.0.0.1:1/').then(() => event);",
  'a language that is broken':
    'Object.prototype.toJSON = () => 1; Array.prototype.map = null; JSON.parse = null; return event;',
  'promises that reject': 'for (let n = 0; n < 1e5; n += 1) Promise.reject(new Error("no")); return event;',
};

/** The attacker's only transformation. The event says which program runs. */
export const PROGRAM_CODE = `const programs = {
${Object.entries(PROGRAMS)
  .map(([name, body]) => `  ${JSON.stringify(name)}: (event) => { ${body} },`)
  .join('\n')}
};
export function transformEvent(event) {
  const run = programs[event.properties?.program];
  return run ? run(event) : event;
}`;

export const programs: Attack[] = Object.keys(PROGRAMS).map((program) => ({
  name: `code: ${program}`,
  shots: () => [...tested('webhook', track({ program }), {}, '?details=true'), ...sent(track({ program }), 3)],
}));
