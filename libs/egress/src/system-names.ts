import { closeSync, openSync, readSync } from 'node:fs';
import { parseAddress } from './address.js';
import type { ResolvedAddress } from './guard.js';

/** Reads at most this much of a system file, so that a huge hosts file cannot block the process. */
const FILE_BYTES_MAX = 1_048_576;
/** How often the files are read again. */
const REFRESH_MS = 5_000;
/** Limit of resolv.conf(5). Each domain costs one more query for a name that does not exist. */
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

/** Answers that the machine gives without a name server: its hosts file and its search domains. */
export class SystemNames {
  private known: Known | undefined;

  constructor(private readonly files: SystemFiles = SYSTEM_FILES) {}

  /** Addresses from the hosts file. `localhost` resolves even without an entry (RFC 6761). */
  addressesOf(host: string): ResolvedAddress[] | undefined {
    return this.current().hosts.get(host) ?? (host === 'localhost' ? LOOPBACK : undefined);
  }

  /** The full names that `host` may stand for, in query order. */
  candidatesOf(host: string): string[] {
    const { domains, ndots } = this.current().search;
    const longer = domains.map((domain) => `${host}.${domain}`);
    const dots = host.split('.').length - 1;
    return dots >= ndots ? [host, ...longer] : [...longer, host];
  }

  /** Reads without the thread pool, which other work may occupy. The files are small and local. */
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

/** Empty when the file does not exist. */
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
    // the last `domain` or `search` line counts
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
