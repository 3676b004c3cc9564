import { isAscii } from 'node:buffer';

export interface EventTexts {
  joined: string;
  /** Of each event in UTF-16 code units, a list for each caller. */
  lengths: number[][];
}

/** The events as one text, which goes into the isolate at once; most are ASCII, where bytes and characters are the same. */
export function splitTexts(events: Buffer, bytes: number[][]): EventTexts {
  if (isAscii(events)) return { joined: events.toString('latin1'), lengths: bytes };
  let at = 0;
  let joined = '';
  const lengths = bytes.map((group) =>
    group.map((length) => {
      const text = events.toString('utf8', at, at + length);
      at += length;
      joined += text;
      return text.length;
    }),
  );
  return { joined, lengths };
}
