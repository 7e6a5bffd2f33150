// Preloaded into a process whose machine's clock is wrong: by CLOCK_SKEW_MS, for everything in it that asks for the date.
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RightDate = Date;

class SkewedDate extends RightDate {
  constructor(...given) {
    if (given.length === 0) super(RightDate.now() + skewMs);
    else super(...given);
  }

  static now() {
    return RightDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate;
