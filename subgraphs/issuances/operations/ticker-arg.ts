export const tickerArg = { description: 'Ticker of the operation or slug of its estate, in any case' };
