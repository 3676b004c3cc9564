export interface Endpoint {
  host: string;
  port: number;
}

const DEFAULT_PORTS: Record<string, number> = { 'postgres:': 5432, 'postgresql:': 5432, 'nats:': 4222, 'tls:': 4222 };

/** Host and port of a database or broker URL. Undefined for any other URL. */
export function endpointOf(url: string): Endpoint | undefined {
  const parsed = URL.parse(url);
  const port = Number(parsed?.port) || DEFAULT_PORTS[parsed?.protocol ?? ''];
  return parsed?.hostname && port ? { host: parsed.hostname, port } : undefined;
}
