import ksuid from 'ksuid';

/** A new KSUID: 27 base62 characters, sorted by the second of its making (ruling 3). */
export const newKsuid = (): string => ksuid.randomSync().string;
