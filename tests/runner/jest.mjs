// The `jest` of a test file: spies, fake timers and the time that a test may take. Modules are not replaced: they are loaded once for many files.
const timers = [
  'advanceTimersByTime',
  'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer',
  'advanceTimersToNextTimerAsync',
  'getTimerCount',
  'runAllTimers',
  'runAllTimersAsync',
  'runOnlyPendingTimers',
  'runOnlyPendingTimersAsync',
  'setSystemTime',
  'useRealTimers',
];

export function jestOf({ global, moduleMocker, fakeTimersModern }, { fakeTimers }) {
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    setTimeout: (ms) => {
      global[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms;
    },
    useFakeTimers: (options) => fakeTimersModern.useFakeTimers({ ...fakeTimers, ...options }),
  };
  for (const name of timers) jest[name] = fakeTimersModern[name].bind(fakeTimersModern);
  return jest;
}
