vcl 4.1;

# An HTTP cache in front of the program (Varnish 6 or later). It keeps what is published and the same for every reader: public pages, their files, the paths
# below /public, and the assets of pages. How long, the program says in Cache-Control; everything else passes through unchanged.

backend default {
  .host = "127.0.0.1";
  .port = "4000";
  .probe = { .url = "/readyz"; .interval = 5s; .timeout = 2s; .window = 3; .threshold = 2; }
}

sub vcl_recv {
  if (req.method == "BAN") {
    # At the socket of operators alone (-a admin=127.0.0.1:8081): behind a proxy on the same machine everybody would come from 127.0.0.1.
    if (local.socket != "admin") {
      return (synth(405));
    }
    # The name of the present state, as the newest response has it in Surrogate-Key: what was made of another state of the same domain is removed, and
    # what does not say of which state it was made.
    if (req.http.Surrogate-Key !~ "^[a-z-]+-[0-9]+(-[0-9a-f]{32})?-[0-9]{4}-[0-9]{2}-[0-9]{2}$") {
      return (synth(400));
    }
    set req.http.X-Domain = regsub(req.http.Surrogate-Key, "-[0-9]+(-[0-9a-f]{32})?-[0-9]{4}-[0-9]{2}-[0-9]{2}$", "");
    ban("obj.http.Surrogate-Key ~ (^|\s)" + req.http.X-Domain + "-[0-9] && obj.http.Surrogate-Key !~ (^|\s)" + req.http.Surrogate-Key + "(\s|$)");
    ban("obj.http.Cache-Control ~ s-maxage && obj.http.Surrogate-Key !~ .");
    return (synth(200));
  }

  # The same id in the logs on both sides, and in a response that the program never saw.
  if (!req.http.X-Request-Id) {
    set req.http.X-Request-Id = req.xid;
  }

  # Only the program responds to acts.
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  if (req.url ~ "^/(en/?)?(\?|$)"
      || req.url ~ "^/(en/)?(emissoes|series|tokenizacao|p|embed|docs)([/?]|$)"
      || req.url ~ "^/(public|assets)/"
      || req.url ~ "^/(sitemap\.xml|robots\.txt|favicon\.ico)(\?|$)") {
    # No credential changes these responses. Without it they are shared by readers who are logged in.
    unset req.http.Cookie;
    unset req.http.Authorization;
    unset req.http.X-API-Key;
    return (hash);
  }
  return (pass);
}

sub vcl_backend_response {
  if (beresp.uncacheable || bereq.uncacheable) {
    return (deliver);
  }
  # What has no Cache-Control for shared caches is not kept, whatever the default is.
  if (beresp.http.Cache-Control !~ "public") {
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  # A copy whose time is over is revalidated by its ETag, and not fetched again.
  set beresp.keep = 1h;
}

sub vcl_deliver {
  if (obj.uncacheable) {
    return (deliver);
  }
  # They were about the request that filled the cache. A response from the cache was not counted, so it has no limit to show.
  unset resp.http.X-RateLimit-Limit;
  unset resp.http.X-RateLimit-Remaining;
  unset resp.http.X-RateLimit-Reset;
  set resp.http.X-Request-Id = req.http.X-Request-Id;
}
