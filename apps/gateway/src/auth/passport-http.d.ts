/** These packages have no types. This declares only the members that the subclasses here use. */
declare module 'passport-http' {
  export class BasicStrategy {
    constructor(...args: unknown[]);
    /** Calls `validate` of the Nest strategy and passes its result to `done`. */
    protected _verify(user: string, password: string, done: (error: unknown, user?: unknown) => void): void;
    protected success(user: unknown): void;
    protected fail(challenge: string): void;
    protected error(error: unknown): void;
  }
}

declare module 'passport-http-bearer' {
  export class Strategy {
    constructor(...args: unknown[]);
    protected _verify(token: string, done: (error: unknown, user?: unknown) => void): void;
    protected success(user: unknown): void;
    protected fail(challenge: string): void;
    protected error(error: unknown): void;
  }
}
