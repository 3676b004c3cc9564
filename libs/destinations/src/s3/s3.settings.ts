import { AppError, type JsonObject } from '@weir/contracts';

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
    throw new AppError('invalid', 'accessKeyID and accessKey are required; roles are not supported');
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
