/** `Link` header to the next page (RFC 8288), relative to the request's host. */
export function nextLink(path: string, query: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `<${path}?${parameters}>; rel="next"`;
}
