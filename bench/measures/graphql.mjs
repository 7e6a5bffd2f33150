import { deepStrictEqual } from 'node:assert';
import { answerOf, interleave } from '../kit/load.mjs';
import { compare } from './compare.mjs';

const one = {
  query: `query Operation($ticker: String!) {
    operation(ticker: $ticker) { id ticker slug name type status emissionDate maturityDate }
  }`,
  what: 'GraphQL, one subgraph',
};
const two = {
  query: `query Followed($ticker: String!) { operation(ticker: $ticker) { ticker name followedByMe } }`,
  what: 'GraphQL, two subgraphs',
};

/** A query with a condition. */
const conditional =
  'query Maybe($ticker: String!, $yes: Boolean = true) { operation(ticker: $ticker) { name followedByMe @include(if: $yes) } }';

/** Returns the measured queries, and one that loads the rest of the platform, each as requests to one server: one for each operation. */
export function requestsTo(url, { token, tickers }) {
  return [one.query, two.query, conditional].map((query) =>
    tickers.map((ticker) => ({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { ticker } }),
    })),
  );
}

/**
 * (b), (c), (d) Sends the same query over HTTP to our server and to the peers, in turn.
 * @param peers of `{name, url, pids, letter}`; `letter` is the measure that sends the query over one subgraph
 */
export async function measureGraphql({ platform, entry, timing, options }, peers) {
  const rows = [];
  for (const [index, { what }] of [one, two].entries()) {
    const wanted = peers.filter(({ letter }) => options.only.has(index === 0 ? letter : 'd'));
    if (wanted.length === 0) continue;
    const sides = [{ ...platform, url: `${platform.url}/graphql` }, ...wanted].map(({ url, pids }) => ({
      requests: requestsTo(url, entry)[index],
      pids,
    }));
    await agree(sides);
    const [ours, ...theirs] = await interleave(sides, timing);
    wanted.forEach(({ letter, name }, at) => {
      rows.push(compare(`(${index === 0 ? letter : 'd'}) ${what} ÷ ${name}`, ours, theirs[at], 2));
    });
  }
  return rows;
}

/** Requires every side to return the same, without errors. */
async function agree(sides) {
  const [ours, ...others] = await Promise.all(sides.map(({ requests }) => dataOf(requests)));
  for (const other of others) deepStrictEqual(other, ours, 'every side has to return the same data');
}

function dataOf(requests) {
  return Promise.all(
    requests.map(async (request) => {
      const { data, errors } = JSON.parse(await answerOf(request));
      if (errors !== undefined || Object.values(data).includes(null)) {
        throw new Error(`The query found no data: ${JSON.stringify({ data, errors })}`);
      }
      return data;
    }),
  );
}
