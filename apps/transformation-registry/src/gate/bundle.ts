import { AppError, BUNDLE_BYTES_MAX, type CodeBundle } from '@weir/contracts';

export interface BundleRoot {
  versionId: string;
  name: string;
  code: string;
}

export interface BundleLibrary {
  versionId: string;
  importName: string;
  code: string;
}

/** Throws `too_large` if the bundle does not fit one message together with an event. */
export function bundleOf(root: BundleRoot, libraries: readonly BundleLibrary[]): CodeBundle {
  const bundle = {
    key: [root.versionId, ...libraries.map(({ versionId }) => versionId)].join(':'),
    name: root.name,
    code: root.code,
    libraries: libraries.map(({ importName, code }) => ({ importName, code })),
  };
  const bytes = Buffer.byteLength(JSON.stringify(bundle));
  if (bytes <= BUNDLE_BYTES_MAX) return bundle;
  throw new AppError(
    'too_large',
    `${root.name} with the libraries that it reaches takes ${bytes} bytes as JSON: shorten them to ${BUNDLE_BYTES_MAX}`,
  );
}
