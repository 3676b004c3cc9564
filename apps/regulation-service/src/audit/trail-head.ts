/** The end of a workspace's chain, kept where nobody who can write to the database can change it. */
export interface TrailHead {
  workspaceId: string;
  /** 0 if the trail has no entries. */
  position: number;
  /** Hexadecimal. */
  hash: string;
}

const LINE = /^(\S+) (\d+) ([0-9a-f]{64})$/;

export const headLine = ({ workspaceId, position, hash }: TrailHead): string => `${workspaceId} ${position} ${hash}`;

/** Reads a file that an earlier verification printed. Throws on any other line. */
export function readHeads(text: string): TrailHead[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, workspaceId = '', position = '', hash = ''] = LINE.exec(line.trim()) ?? [];
    if (!workspaceId) throw new Error(`not a line of an earlier verification: ${line}`);
    return { workspaceId, position: Number(position), hash };
  });
}
