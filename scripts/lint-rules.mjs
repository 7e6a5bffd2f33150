// Rules of this house for oxlint: what its own cannot say.
const pause = `AwaitExpression > :matches(${[
  'CallExpression[callee.name=/^(sleep|delay|setImmediate)$/]',
  "CallExpression[callee.property.name='waitForTimeout']",
  "NewExpression[callee.name='Promise']:has(Identifier[name=/^set(Timeout|Immediate)$/])",
].join()})`;
/** A loop that ends by a flag is a worker, not a wait. */
const byFlag =
  ":matches([test.type='Identifier'], [test.argument.type='Identifier'], [test.argument.property.name='aborted'])";
const handMadeWait = [
  `:matches(WhileStatement, DoWhileStatement, ForStatement[test=null]):not(${byFlag}) ${pause}`,
  `:matches(WhileStatement, ForStatement) > ExpressionStatement.body > ${pause}`,
];

const refuse = (selector, message) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

export default {
  meta: { name: 'house' },
  rules: {
    'typed-query': refuse(
      "CallExpression[callee.property.name='query']:matches([callee.object.name='manager'], [callee.object.property.name='manager'])",
      'Use rows, row, one or execute of shared/database/manager.ts, whose results are typed.',
    ),
    until: refuse(
      `:matches(${handMadeWait.join()})`,
      'Wait by until of tests/kit/until.ts: it ends, and says what it waited for.',
    ),
  },
};
