/** The end of an id tells revisions apart: they begin with the time, which is much the same. */
const CHARS = 7;

/** The short name of a revision. Hovering tells the whole id. */
export const VersionName = ({ id }: { id: string }) => (
  <code title={id} className="font-mono text-[12.5px] text-muted">
    {id.slice(-CHARS)}
  </code>
);
