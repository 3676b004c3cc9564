interface Seen {
  VersionID: string;
  FirstSeen: string;
}

/** The version that was new before this one. Undefined for the first. */
export function versionBefore<Version extends Seen>(all: readonly Version[], { VersionID }: Seen): Version | undefined {
  const inOrder = [...all].sort((one, other) => one.FirstSeen.localeCompare(other.FirstSeen));
  return inOrder[inOrder.findIndex((one) => one.VersionID === VersionID) - 1];
}
