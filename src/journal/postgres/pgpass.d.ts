/** The file of passwords of PostgreSQL: that of PGPASSFILE, or ~/.pgpass. */
declare module 'pgpass' {
  const find: (
    of: { readonly host: string; readonly port: number; readonly user: string; readonly database: string },
    done: (password: string | undefined) => void,
  ) => void;
  export default find;
}
