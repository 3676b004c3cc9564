/** A description, the status, a part of the answer's body, and the bytes to send. */
export type WireCase = [what: string, status: number, says: string, ...parts: string[]];

const NOT_HTTP = '"message":"The request is not valid HTTP/1.1"';
const HOST = 'host: weir.example\r\nconnection: close\r\n';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const post = (more: string, body = '') => `POST /v1/track HTTP/1.1\r\n${HOST}${more}\r\n${body}`;

export const wire: WireCase[] = [
  ['no request line', 400, NOT_HTTP, 'nonsense\r\n\r\n'],
  ['a request line of TLS', 400, NOT_HTTP, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['an unknown method', 400, NOT_HTTP, `BREW /livez HTTP/1.1\r\n${HOST}\r\n`],
  ['a method in lower case', 400, NOT_HTTP, `get /livez HTTP/1.1\r\n${HOST}\r\n`],
  ['an unknown version', 400, NOT_HTTP, `GET /livez HTTP/7.3\r\n${HOST}\r\n`],
  ['another protocol', 400, NOT_HTTP, `GET /livez SIP/2.0\r\n${HOST}\r\n`],
  ['the preface of HTTP/2', 400, NOT_HTTP, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a path with a space', 400, NOT_HTTP, get('/live z')],
  ['a path without a slash', 400, NOT_HTTP, get('livez')],
  ['no host', 400, '', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['a header without a colon', 400, NOT_HTTP, get('/livez', 'nonsense\r\n')],
  ['a header without a name', 400, NOT_HTTP, get('/livez', ': value\r\n')],
  ['a header name with a space', 400, NOT_HTTP, get('/livez', 'x y: value\r\n')],
  ['a header that goes on in the next line', 400, NOT_HTTP, get('/livez', 'x-a: b\r\n c\r\n')],
  ['a NUL in a header', 400, NOT_HTTP, get('/livez', 'x-a: b\0c\r\n')],
  ['a line feed alone in a header', 400, NOT_HTTP, get('/livez', 'x-a: b\nx-c: d\r\n')],
  ['headers beyond 16 KiB', 431, '16 KiB', get('/livez', `x-a: ${'a'.repeat(20_000)}\r\n`)],
  ['a path beyond 16 KiB', 431, '16 KiB', get(`/v2/sources/${'a'.repeat(20_000)}`)],
  ['two lengths', 400, NOT_HTTP, post('content-length: 2\r\ncontent-length: 3\r\n', '{}')],
  ['the same length twice', 400, NOT_HTTP, post('content-length: 2\r\ncontent-length: 2\r\n', '{}')],
  ['a length and chunks', 400, NOT_HTTP, post('content-length: 2\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['a negative length', 400, NOT_HTTP, post('content-length: -1\r\n')],
  ['a length that is no number', 400, NOT_HTTP, post('content-length: two\r\n', '{}')],
  ['a length of many digits', 400, NOT_HTTP, post(`content-length: ${'9'.repeat(40)}\r\n`)],
  ['an unknown transfer encoding', 400, NOT_HTTP, post('transfer-encoding: cloud\r\n', '{}')],
  ['a chunk without a size', 400, NOT_HTTP, post('transfer-encoding: chunked\r\n', 'xyz\r\n{}\r\n0\r\n\r\n')],
  ['an expectation that nobody has', 417, '', post('expect: wonders\r\ncontent-length: 0\r\n')],
  ['two write keys', 401, 'invalid write key', post('authorization: Basic eDo=\r\nauthorization: Basic eTo=\r\n')],
];
