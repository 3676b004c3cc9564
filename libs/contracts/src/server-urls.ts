/**
 * The URLs of a setting that may name several servers of one cluster, separated by commas. A comma ends a URL only if another URL
 * follows, because passwords may have commas.
 */
export const serverUrls = (text: string): string[] => text.split(/,\s*(?=[a-z]{1,10}:\/\/)/).map((url) => url.trim());
