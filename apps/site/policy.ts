const withStyles = (styles: string) =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'`;
const shared = withStyles("'self'");
const trustedTypes = "require-trusted-types-for 'script'; trusted-types 'none'";

/** Content-Security-Policy of a page: same origin only, no inline scripts or styles, no embedding in other sites. */
export const pagePolicy = `${shared}; ${trustedTypes}; frame-ancestors 'none'`;

/** Policy for pages that other sites may embed. */
export const framedPolicy = `${shared}; ${trustedTypes}; frame-ancestors *`;

/** Policy for the page of Scalar, which writes styles and HTML into the page: still no script but the site's own, no compiled code, and no other origin. */
export const referencePolicy = `${withStyles("'self' 'unsafe-inline'")}; frame-ancestors 'none'`;
