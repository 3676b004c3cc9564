import { closeSync, openSync, readSync } from 'node:fs';
import { parseAddress } from './address.js';
import type { ResolvedAddress } from './guard.js';

/** A file of the system that is larger is read no further; blocking a machine by its own hosts file helps nobody. */
const FILE_BYTES_MAX = 1_048_576;
/** Changes of the files are seen after so long. */
const REFRESH_MS = 5_000;
/** What resolv.conf may say at most (resolv.conf(5)); each is a question more for a name that does not exist. */
const SEARCH_DOMAINS_MAX = 6;

export interface SystemFiles {
  hosts: string;
  resolvConf: string;
}

const SYSTEM_FILES: SystemFiles = { hosts: '/etc/hosts', resolvConf: '/etc/resolv.conf' };

interface Known {
  readAt: number;
  hosts: ReadonlyMap<string, ResolvedAddress[]>;
  search: Search;
}

interface Search {
  domains: string[];
  /** A name with fewer dots is tried with the domains first. */
  ndots: number;
}

/** What the machine says about names before any name server is asked: its hosts file and its search domains. */
export class SystemNames {
  private known: Known | undefined;

  constructor(private readonly files: SystemFiles = SYSTEM_FILES) {}

  /** Addresses of the hosts file; `localhost` has some without it (RFC 6761). */
  addressesOf(host: string): ResolvedAddress[] | undefined {
    return this.current().hosts.get(host) ?? (host === 'localhost' ? LOOPBACK : undefined);
  }

  /** The full names that `host` may stand for, in the order in which they are to be asked for. */
  candidatesOf(host: string): string[] {
    const { domains, ndots } = this.current().search;
    const longer = domains.map((domain) => `${host}.${domain}`);
    const dots = host.split('.').length - 1;
    return dots >= ndots ? [host, ...longer] : [...longer, host];
  }

  /** Read without the thread pool, which others may hold; the files are small and local. */
  private current(): Known {
    const now = performance.now();
    if (this.known && now - this.known.readAt < REFRESH_MS) return this.known;
    const hosts = parseHosts(readBounded(this.files.hosts));
    const search = parseSearch(readBounded(this.files.resolvConf));
    this.known = { readAt: now, hosts, search };
    return this.known;
  }
}

const LOOPBACK: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Empty when there is no such file, as on a machine without one. */
function readBounded(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(FILE_BYTES_MAX);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, FILE_BYTES_MAX, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The words of each line, without comments. */
const wordsOf = (text: string, comment: string): string[][] =>
  text.split('\n').map((line) => (line.split(comment)[0] ?? '').split(/[ \t\r]/).filter((word) => word !== ''));

function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const [address = '', ...names] of wordsOf(text, '#')) {
    const parsed = parseAddress(address);
    if (!parsed) continue;
    const resolved: ResolvedAddress = { address, family: parsed.kind() === 'ipv4' ? 4 : 6 };
    for (const name of names.map(canonical)) hosts.set(name, [...(hosts.get(name) ?? []), resolved]);
  }
  return hosts;
}

function parseSearch(text: string): Search {
  const search: Search = { domains: [], ndots: 1 };
  for (const [keyword, ...words] of wordsOf(text, '#')) {
    // the last line of `domain` and `search` counts
    if (keyword === 'search' || keyword === 'domain') {
      search.domains = words.map(canonical).filter(Boolean).slice(0, SEARCH_DOMAINS_MAX);
    }
    if (keyword === 'options') search.ndots = ndotsOf(words) ?? search.ndots;
  }
  return search;
}

function ndotsOf(options: string[]): number | undefined {
  const value = options.find((option) => option.startsWith('ndots:'))?.slice('ndots:'.length);
  return value !== undefined && /^\d{1,2}$/.test(value) ? Number(value) : undefined;
}

const canonical = (name: string) => name.toLowerCase().replace(/\.$/, '');
