/** Queries that the editor opens with. Everyone may run them as they stand; tests do. */
export const exampleQueries: readonly string[] = [
  `# The active tokenized series with their latest unit prices. Press Ctrl+Enter to run it.
# Published operations, accounts and trading need a credential: enter it below as a header, {"X-API-Key": "…"}.
query ActiveSeries {
  tranches(first: 10, filter: { status: ACTIVE }) {
    totalCount
    nodes {
      ticker
      name
      remuneration
      unitPrice
      pricedOn
      nextPayment {
        dueDate
        totalValue
        projected
      }
    }
  }
}
`,
  `# What each unit price was made of: the factors of the last five days.
query UnitPrices {
  tranches(first: 1, filter: { status: ACTIVE }) {
    nodes {
      ticker
      unitPrices(last: 5) {
        nodes {
          date
          unitPrice
          nominalValue
          interestJ
          indexFactor
          interestFactor
        }
      }
    }
  }
}
`,
  `# The tokenized credits, in total.
query Assets {
  assetSummary {
    totalAssets
    activeAssets
    totalCurrentBalance
    defaultRate
  }
}
`,
];
