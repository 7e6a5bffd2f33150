// Hive Gateway with its defaults; the subgraphs receive the caller in the header that they require.
export const gatewayConfig = {
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => {
      const token = request.headers.get('authorization');
      return token === null ? {} : { authorization: token };
    },
  },
};
