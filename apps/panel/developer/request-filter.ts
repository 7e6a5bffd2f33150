/** Parameters of the address that filter the log of requests. */
export const filterParameters = ['key', 'status', 'path', 'id'] as const;
export type RequestParameters = Readonly<Partial<Record<(typeof filterParameters)[number], string>>>;

/** Classes of statuses, and statuses that are often looked for. */
export const statusChoices = ['2', '4', '5', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

/** Returns the parameters of an address that filter the log; all others are left out. */
export function requestParameters(search: Readonly<Record<string, unknown>>): RequestParameters {
  return Object.fromEntries(
    filterParameters.flatMap((name) => {
      const value = search[name];
      const text = typeof value === 'number' ? String(value) : value;
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  );
}

/** Returns the filter of the graph. */
export function filterOf({ key, status, path, id }: RequestParameters) {
  return {
    keyId: key ?? null,
    status: status === undefined ? null : Number(status),
    path: path ?? null,
    requestId: id ?? null,
  };
}
