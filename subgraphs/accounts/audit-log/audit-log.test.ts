import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts, type AccountsKit } from '../../../tests/accounts/kit.js';
import { operator } from '../../../tests/kit/context.js';
import { newOperator } from '../../../tests/kit/operator.js';

let kit: AccountsKit;
const added: string[] = [];

beforeAll(async () => {
  kit = await openAccounts();
  for (let count = 0; count < 5; count += 1) added.push((await newOperator(kit.context)).id);
});
afterAll(() => kit.close());

const text = `query ($filter: AuditLogFilter, $first: Int!, $after: String) {
  auditLog(filter: $filter, first: $first, after: $after) {
    edges { cursor node { id subjectId } } nodes { id action subjectId before after reason occurrences }
    totalCount pageInfo { hasNextPage endCursor } } }`;

interface Page {
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string; readonly subjectId: string } }[];
  readonly nodes: { readonly id: string; readonly subjectId: string; readonly before: string | null }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
const ask = (variables: object) => kit.run(text, { ...variables }, { principal: operator });
const list = async (variables: object) => (await ask(variables)).data?.['auditLog'] as Page;

describe('a page of the audit log', () => {
  test('goes on after the cursor of any of its entries', async () => {
    const whole = await list({ first: 50 });
    const ids = whole.edges.map(({ node }) => node.id);
    expect(ids).toEqual(whole.nodes.map(({ id }) => id));
    expect(whole.pageInfo).toEqual({ hasNextPage: false, endCursor: whole.edges.at(-1)?.cursor });
    for (const [index, { cursor }] of whole.edges.entries()) {
      const { edges } = await list({ first: 50, after: cursor });
      expect(edges.map(({ node }) => node.id)).toEqual(ids.slice(index + 1));
    }
  });

  test('is as long as was asked for, and says whether there is more', async () => {
    const { nodes } = await list({ first: 50 });
    for (const first of [1, nodes.length - 1, nodes.length]) {
      const page = await list({ first });
      expect(page.nodes).toEqual(nodes.slice(0, first));
      expect(page.pageInfo.hasNextPage).toBe(first < nodes.length);
    }
  });

  test('of nothing has no end', async () => {
    const { nodes, pageInfo, totalCount } = await list({ first: 50, filter: { subject: 'nothing' } });
    expect([nodes, pageInfo, totalCount]).toEqual([[], { hasNextPage: false, endCursor: null }, 0]);
  });

  test('has the number of all entries that the filter selects', async () => {
    const whole = await list({ first: 50 });
    expect((await list({ first: 1 })).totalCount).toBe(whole.nodes.length);
    expect((await list({ first: 1, filter: { subject: added[0] ?? '' } })).totalCount).toBe(
      whole.nodes.filter(({ subjectId }) => subjectId === added[0]).length,
    );
  });

  test.each(['actor', 'action', 'subject', 'outcome', 'from', 'to'])('takes %s: null for no filter', async (name) => {
    const all = await list({ first: 50 });
    expect((await list({ first: 50, filter: { [name]: null } })).nodes).toEqual(all.nodes);
    const { pageInfo } = await list({ first: 1, filter: { [name]: null } });
    expect((await list({ first: 50, after: pageInfo.endCursor })).nodes).toEqual(all.nodes.slice(1));
  });

  test('has what was done as JSON, and null where nothing was before', async () => {
    const [subject] = added;
    const { nodes } = await list({ first: 50, filter: { subject, action: 'addOperator' } });
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({ subjectId: subject, before: null, reason: null, occurrences: 1 });
    expect(JSON.parse((nodes[0] as unknown as { after: string }).after)).toMatchObject({ name: 'Olga' });
  });

  test.each([0, -1, 201])('has 1 to 200 entries: %d is refused', async (first) => {
    expect((await ask({ first })).error).toMatchObject({ statusCode: 400, details: [{ path: 'first' }] });
  });
});
