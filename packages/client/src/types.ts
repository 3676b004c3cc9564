import type { Client, ClientPathsWithMethod, FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { WeirError } from './error.js';
import type { components, paths } from './generated/api.js';

/** A named schema of the API, such as `Schema<'Destination'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The answer of a call: either `data` or `error`. Check `error` first, or use `unwrap`. */
export type Answer<Data> =
  | { data: Data; error?: undefined; response: Response }
  | { data?: undefined; error: WeirError; response?: Response };

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathOf<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;
type InitOf<M extends Method, Path extends PathOf<M>> = MaybeOptionalInit<paths[Path], M>;
/** The second argument of a call may be left out if nothing in it is required. */
type InitArgument<Init> = undefined extends Init ? [init?: Init] : [init: Init];
type DataOf<M extends Method, Path extends PathOf<M>, Init> = NonNullable<
  FetchResponse<Extract<paths[Path][M], Record<string | number, unknown>>, Init, `${string}/${string}`>['data']
>;

/** Calls an operation of the API by its path. The path decides which parameters and which body there are. */
export type Call<M extends Method> = <Path extends PathOf<M>, Init extends InitOf<M, Path>>(
  path: Path,
  ...init: InitArgument<Init>
) => Promise<Answer<DataOf<M, Path, Init>>>;

type ArrayIn<Data> = Data extends unknown[] ? Data : Extract<Data[keyof Data], unknown[]>;
type IsList<Data> = Data extends unknown[] | { paging: unknown } ? true : false;

/** Paths whose GET answers a list that may have more pages. */
export type ListPath = {
  [Path in PathOf<'get'>]: IsList<DataOf<'get', Path, undefined>> extends true ? Path : never;
}[PathOf<'get'>];

/** One item of the list at `Path`. */
export type ItemOf<Path extends ListPath> = ArrayIn<DataOf<'get', Path, undefined>>[number];

/** Reads a list page by page. Throws a `WeirError` at the page that is refused. */
export type Paginate = <Path extends ListPath>(
  path: Path,
  ...init: InitArgument<InitOf<'get', Path>>
) => AsyncGenerator<ItemOf<Path>, void, undefined>;
