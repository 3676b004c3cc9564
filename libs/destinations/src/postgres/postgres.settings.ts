import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { AppError, type JsonObject } from '@weir/contracts';
import { escapeIdentifier } from 'pg';
import { refuseSsh, requiredText, textOf } from '../session/settings.js';

const DEFAULT_PORT = 5_432;
const DEFAULT_SCHEMA = 'public';
const DEFAULT_TABLE = 'weir_events';

export interface PostgresSettings {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  ssl: false | ConnectionOptions;
  /** Quoted, with its schema. */
  table: string;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function postgresSettings(config: JsonObject): PostgresSettings {
  refuseSsh(config);
  const port = Number(textOf(config, 'port') || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new AppError('invalid', 'port must be a number');
  const host = requiredText(config, 'host');
  // The client library would treat a path as a Unix domain socket.
  if (/[\s/\\@]/.test(host)) throw new AppError('invalid', 'host must be a name or an address');
  return {
    host,
    port,
    database: requiredText(config, 'database'),
    user: requiredText(config, 'user'),
    password: textOf(config, 'password'),
    ssl: sslOf(config, host),
    table: [textOf(config, 'namespace') || DEFAULT_SCHEMA, textOf(config, 'table') || DEFAULT_TABLE]
      .map(escapeIdentifier)
      .join('.'),
  };
}

/** The modes have the same meaning as in libpq. */
function sslOf(config: JsonObject, host: string): false | ConnectionOptions {
  const mode = textOf(config, 'sslMode') || 'disable';
  if (mode === 'disable') return false;
  if (!['require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new AppError('invalid', 'sslMode must be disable, require, verify-ca or verify-full');
  }
  const [ca, cert, key] = [textOf(config, 'serverCA'), textOf(config, 'clientCert'), textOf(config, 'clientKey')];
  return {
    ...(!isIP(host) && { servername: host }),
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(ca !== '' && { ca }),
    ...(cert !== '' && key !== '' && { cert, key }),
  };
}
