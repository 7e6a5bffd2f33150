/** The type that a resolver may return for a GraphQL class: plain objects of its fields, recursively. */
export type Shape<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Shape<Item>[]
    : T extends object
      ? { readonly [Field in keyof T]: Shape<T[Field]> }
      : T;
