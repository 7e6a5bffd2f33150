/** A security or a credit, as search engines read it (schema.org). */
interface Product {
  readonly type?: 'InvestmentOrDeposit' | 'LoanOrCredit';
  readonly name: string;
  readonly identifier: string;
  readonly category: string;
  readonly url: string;
  /** In BRL. */
  readonly amount: string | null;
  readonly provider?: string | null;
  /** Identifiers of registries by their names, such as ISIN. */
  readonly codes?: Readonly<Record<string, string | null>>;
  readonly partOf?: { readonly name: string; readonly url: string };
}

export function productData(product: Product): object {
  const {
    type = 'InvestmentOrDeposit',
    name,
    identifier,
    category,
    url,
    amount,
    provider,
    codes = {},
    partOf,
  } = product;
  const known = Object.entries(codes).flatMap(([propertyID, value]) =>
    value === null ? [] : [{ '@type': 'PropertyValue', propertyID, value }],
  );
  return {
    '@context': 'https://schema.org',
    '@type': type,
    name,
    identifier: known.length === 0 ? identifier : [identifier, ...known],
    category,
    url,
    ...(amount === null ? {} : { amount: { '@type': 'MonetaryAmount', value: amount, currency: 'BRL' } }),
    ...(provider == null ? {} : { provider: { '@type': 'Organization', name: provider } }),
    ...(partOf === undefined ? {} : { isRelatedTo: { '@type': type, ...partOf } }),
  };
}
