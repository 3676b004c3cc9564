const BEGINS_URL = /^ *[a-z]{1,10}:\/\//;

/**
 * The URLs of a setting that may name several servers of one cluster, separated by commas. A comma ends a URL only if another URL
 * follows, because passwords may have commas.
 */
export function serverUrls(text: string): string[] {
  const urls: string[] = [];
  for (const part of text.split(',')) {
    if (urls.length === 0 || BEGINS_URL.test(part)) urls.push(part);
    else urls.push(`${urls.pop()},${part}`);
  }
  return urls.map((url) => url.trim());
}
