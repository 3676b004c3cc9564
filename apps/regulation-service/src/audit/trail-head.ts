/** The end of a workspace's chain as somebody wrote it down, out of reach of who may write to the database. */
export interface TrailHead {
  workspaceId: string;
  /** 0 for a trail without entries. */
  position: number;
  /** Hex. */
  hash: string;
}

const LINE = /^(\S+) (\d+) ([0-9a-f]{64})$/;

export const headLine = ({ workspaceId, position, hash }: TrailHead): string => `${workspaceId} ${position} ${hash}`;

/** Of a file that an earlier verification printed. Throws for a line that it did not. */
export function readHeads(text: string): TrailHead[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, workspaceId = '', position = '', hash = ''] = LINE.exec(line.trim()) ?? [];
    if (!workspaceId) throw new Error(`not a line of an earlier verification: ${line}`);
    return { workspaceId, position: Number(position), hash };
  });
}
