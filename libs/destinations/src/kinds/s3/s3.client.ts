import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { AppError, type JsonObject } from '@weir/contracts';
import type { Outbound } from '../../kind.js';
import { BoundedHandler } from './bounded-answers.js';

const DEFAULT_REGION = 'us-east-1';

export interface S3Settings {
  bucket: string;
  /** Ends in `/` unless empty, so that `events` does not match `events-of-others`. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  region: string;
  /** Undefined means Amazon S3. */
  endpoint: string | undefined;
  pathStyle: boolean;
  encrypt: boolean;
}

/**
 * Pure. Throws `AppError('invalid')` with the problem. Requires an access key, because Weir's own identity must never reach a
 * bucket that a user names.
 */
export function s3Settings(config: JsonObject): S3Settings {
  const bucket = text(config['bucketName']);
  const [accessKeyId, secretAccessKey] = [text(config['accessKeyID']), text(config['accessKey'])];
  if (bucket === '') throw new AppError('invalid', 'bucketName is required');
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new AppError('invalid', 'accessKeyID and accessKey are required. Roles are not supported');
  }
  const folder = text(config['prefix']);
  return {
    bucket,
    prefix: folder === '' || folder.endsWith('/') ? folder : `${folder}/`,
    credentials: { accessKeyId, secretAccessKey },
    region: text(config['region']) || DEFAULT_REGION,
    endpoint: endpointOf(text(config['endPoint']), config['useSSL'] !== false),
    pathStyle: config['s3ForcePathStyle'] === true,
    encrypt: config['enableSSE'] === true,
  };
}

function endpointOf(endPoint: string, isSecure: boolean): string | undefined {
  if (endPoint === '') return undefined;
  const url = URL.parse(/^https?:\/\//.test(endPoint) ? endPoint : `${isSecure ? 'https' : 'http'}://${endPoint}`);
  const isPlain = url?.username === '' && url.password === '';
  if (!isPlain) throw new AppError('invalid', 'endPoint must be host:port');
  return url.origin;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const SOCKETS_MAX = 8;
/** A store that is silent for this long is gone. */
const IDLE_TIMEOUT_MS = 60_000;

/** A client for any S3-compatible store, reached only through the outbound client. The caller destroys it. */
export function s3Client({ credentials, region, endpoint, pathStyle }: S3Settings, outbound: Outbound): S3Client {
  return new S3Client({
    credentials,
    region,
    ...(endpoint === undefined ? { followRegionRedirects: true } : { endpoint }),
    forcePathStyle: pathStyle,
    // Many stores other than Amazon's do not support checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new BoundedHandler({
      ...guardedAgents(outbound, SOCKETS_MAX),
      socketTimeout: IDLE_TIMEOUT_MS,
    }),
  });
}

const CONNECT_TIMEOUT_MS = 10_000;

type OnConnection = (error: Error | null, stream: Duplex) => void;

/** Agents for Node's HTTP client. The outbound client makes every connection and checks its target. */
function guardedAgents(outbound: Outbound, maxSockets: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const open = (tls: boolean) => (options: ClientRequestArgs, callback?: OnConnection) => {
    const where = { host: String(options.host), port: Number(options.port), tls, timeoutMs: CONNECT_TIMEOUT_MS };
    const failed = (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error);
    outbound.connect(where).then((socket) => callback?.(null, socket), failed);
    return undefined;
  };
  const httpAgent = new HttpAgent({ keepAlive: true, maxSockets });
  const httpsAgent = new HttpsAgent({ keepAlive: true, maxSockets });
  httpAgent.createConnection = open(false);
  httpsAgent.createConnection = open(true);
  return { httpAgent, httpsAgent };
}
