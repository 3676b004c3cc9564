/** The part of TypeORM's DataSource and EntityManager that this library needs. */
export interface Sql {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}

export interface Database extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}
