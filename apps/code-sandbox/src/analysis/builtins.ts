/**
 * Knowledge about the language. A name that is not listed here is not followed, and so needs a fresh context.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions that only read what they get, however deep, and give a primitive. */
export const READERS = words(`
  String Number Boolean BigInt parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI
  decodeURIComponent escape unescape atob btoa sha256 getCredential log
  console.log console.info console.warn console.error console.debug console.trace console.dir console.table console.group
  console.groupCollapsed console.groupEnd console.time console.timeLog console.timeEnd console.count console.countReset
  console.clear console.assert
  Number.isInteger Number.isFinite Number.isNaN Number.isSafeInteger Number.parseFloat Number.parseInt
  String.fromCharCode String.fromCodePoint String.raw
  Math.abs Math.acos Math.acosh Math.asin Math.asinh Math.atan Math.atan2 Math.atanh Math.cbrt Math.ceil Math.clz32 Math.cos
  Math.cosh Math.exp Math.expm1 Math.floor Math.fround Math.hypot Math.imul Math.log Math.log10 Math.log1p Math.log2 Math.max
  Math.min Math.pow Math.random Math.round Math.sign Math.sin Math.sinh Math.sqrt Math.tan Math.tanh Math.trunc
  Array.isArray Object.is Object.hasOwn Object.isFrozen Date Date.now Date.parse Date.UTC
  crypto.randomUUID URL.canParse`);

/** Functions and constructors that only read what they get, however deep, and give something new. */
export const COPIERS = words(`
  Object.keys Object.getOwnPropertyNames structuredClone Error TypeError RangeError SyntaxError Date URL Intl.DateTimeFormat
  Intl.NumberFormat Intl.Collator Intl.PluralRules Intl.RelativeTimeFormat Intl.ListFormat Intl.Segmenter EvalError
  ReferenceError URIError TextEncoder TextDecoder`);

/** Functions that make something new for the run, and get only what belongs to it. */
export const MAKERS = words(`
  JSON.parse Array Array.of RegExp Object.fromEntries Object.groupBy Map.groupBy crypto.getRandomValues crypto.subtle.digest fetch fetchV2 geolocation URL.parse
  Promise.resolve Promise.reject Promise.all Promise.allSettled Promise.any Promise.race Promise.withResolvers`);

/** Classes that `new` may build from values of the run. */
export const CONSTRUCTORS = words(`
  Array Map Set RegExp WeakMap WeakSet Promise AggregateError URLSearchParams ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray
  Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array`);

/** Differs from load to load, so it may not run while the module loads. */
export const CHANGEABLE = words(`
  Date Date.now Math.random crypto crypto.randomUUID crypto.getRandomValues crypto.subtle.digest fetch fetchV2 geolocation performance`);

/** Objects of the language that may be named without a call, for example in `.filter(Boolean)`. */
export const NAMED = words(`
  undefined NaN Infinity String Number Boolean BigInt Math JSON Object Array Date RegExp Map Set WeakMap WeakSet Promise
  Error TypeError RangeError SyntaxError URL URLSearchParams TextEncoder TextDecoder ArrayBuffer DataView Uint8Array Intl
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa structuredClone sha256
  log console getCredential fetch fetchV2 geolocation crypto Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array`);

/** Property names that lead to what functions and classes share. */
export const FORBIDDEN_NAMES = words(`
  __proto__ prototype constructor __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee lastIndex
  prepareStackTrace stackTraceLimit`);

/** Methods of the language that call the functions that they get, and keep none. */
export const CALLBACK_METHODS = words(`
  map filter forEach some every find findIndex findLast findLastIndex flatMap reduce reduceRight sort toSorted
  replace replaceAll then catch finally`);

/** Methods of texts that use a regular expression and leave it as it was. */
export const PATTERN_METHODS = words('replace replaceAll match split search');

/** Methods whose result is a primitive, whichever object of the language has them. */
export const PLAIN_METHODS = words(`
  toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimStart trimEnd padStart padEnd charAt charCodeAt
  codePointAt startsWith endsWith replace replaceAll substring substr repeat normalize localeCompare includes indexOf
  lastIndexOf search join test has some every findIndex findLastIndex toString toFixed toPrecision toExponential
  toISOString toJSON getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds
  getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds isWellFormed toWellFormed
  hasOwnProperty`);

/** Further methods that may be called while the module loads. They give the same result each time. */
export const STEADY_METHODS = words(`
  split map filter slice concat flat flatMap forEach reduce reduceRight sort toSorted reverse toReversed find findLast match
  matchAll exec keys values entries at get set add push unshift splice fill`);
