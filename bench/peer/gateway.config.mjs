// Hive Gateway as it comes; the subgraphs are told who is calling by the header that they ask for.
export const gatewayConfig = {
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => {
      const token = request.headers.get('authorization');
      return token === null ? {} : { authorization: token };
    },
  },
};
