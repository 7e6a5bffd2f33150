import { houseLinks } from '../../subgraphs/accounts/accounts/account.mails.js';
import { addOperator } from '../../subgraphs/accounts/operators/operators.acts.js';
import { system, type Context } from '../../shared/kernel/context.js';
import { roles } from '../../shared/graphql/roles.js';

export type TestOperator = Awaited<ReturnType<typeof newOperator>>;

const desk = { queueMail: () => Promise.resolve(), links: houseLinks('https://lastro.test') };

/** Adds an operator to a database, as the program itself. */
export async function newOperator(context: Context, given: readonly string[] = roles) {
  const email = `${crypto.randomUUID()}@casa.example`;
  const by = { ...context, principal: system };
  const { operator, key } = await addOperator(by, desk, {
    email,
    name: 'Olga',
    roles: given,
    days: 30,
    mailLanguage: 'PT_BR',
  });
  if (key.key === null) throw new Error('The key was not shown');
  return { id: operator.id, keyId: key.id, email, key: key.key, headers: { 'x-api-key': key.key } };
}
