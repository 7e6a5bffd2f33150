const shared =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";
const noHtml = "require-trusted-types-for 'script'; trusted-types 'none'";

/** Content-Security-Policy of a page: nothing from elsewhere, nothing written into the page, and no site may frame it. */
export const pagePolicy = `${shared}; ${noHtml}; frame-ancestors 'none'`;

/** That of a page which other sites may frame. */
export const framedPolicy = `${shared}; ${noHtml}; frame-ancestors *`;

/** Policy for the page of Scalar, which writes styles and HTML into the page: still no script but the site's own, no compiled code, and no other origin. */
export const referencePolicy = `${shared.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}; frame-ancestors 'none'`;
