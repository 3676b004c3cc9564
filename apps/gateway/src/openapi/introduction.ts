/** The first page of the documentation, as Markdown. */
export const INTRODUCTION = `Weir takes in customer events, changes them with your code, delivers them, and forgets users on request.

## First steps

1. **Create a source** (\`POST /v2/sources\`). Its answer has the \`writeKey\`.
2. **Create a destination** (\`POST /v2/destinations\`) and **connect** both (\`POST /v2/connections\`).
3. **Send an event** with the write key (\`POST /v1/track\`), or point an SDK to this server.
4. **Change events with code**: create a transformation with \`POST /transformations?publish=true\` and \`destinationIds\`.
5. **See what happened**: \`GET /v2/live-events\` as it happens, and \`GET /v2/deliveries\` for what failed. Then
   \`POST /v2/deliveries/replay\`.

## Credentials

| for                        | send                                                                    |
| -------------------------- | ----------------------------------------------------------------------- |
| most routes                | \`Authorization: Bearer <access token>\`, or Basic with e-mail and token  |
| events (\`/v1/*\`)           | Basic with the write key of a source as user name, without a password   |
| \`/schemas/*\` and \`/admin/*\` | Basic with the pair that the operator set                               |

The console has a session cookie instead (\`POST /console/session\`). Any \`Authorization\` header takes precedence over it. A
request with the cookie that changes something must come from a page of this server (403 otherwise).

A local stack prints all of them when it starts. This page keeps them until you close its tab.

## Errors

Every error has a status of 400 or more. On most routes, its body is \`{message, error, code, details?}\`: \`message\` says what to
change, and programs read \`code\`. \`/schemas/*\` answers \`{msg}\`, and the intake answers plain text. After 429 and 503, retry
when \`Retry-After\` says so.

## Lists

Lists come in pages. \`paging.next\` is the path of the next page. The last page has none.

## Clients

\`/openapi.json\` makes typed clients. With TypeScript: \`npx openapi-typescript <this server>/openapi.json -o weir.d.ts\`.
`;
