import { loadKinds, loadSource } from './sources.mjs';

/** The OpenAPI document as JSON text, from the sources: it needs no build. */
export async function openApiText() {
  const [{ allRoutes, openApiDocument }, kinds] = await Promise.all([
    loadSource('apps/gateway', 'src/openapi/index.ts'),
    loadKinds(),
  ]);
  return JSON.stringify(
    openApiDocument(
      allRoutes(),
      kinds.map(({ kind }) => kind.definition),
    ),
  );
}
