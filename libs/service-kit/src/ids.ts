import ksuid from 'ksuid';

/** A new KSUID: 27 base62 characters that sort by the second of creation (ruling 3). */
export const newKsuid = (): string => ksuid.randomSync().string;
