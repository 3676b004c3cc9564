import { S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Outbound } from '../kind.js';
import { guardedAgents } from './guarded-agents.js';
import type { S3Settings } from './s3.settings.js';

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
    requestHandler: new NodeHttpHandler({
      ...guardedAgents(outbound, SOCKETS_MAX),
      socketTimeout: IDLE_TIMEOUT_MS,
    }),
  });
}
