export const HELP = `Starts Weir on this machine: a PostgreSQL and a NATS server of its own, then every process.

  npm start            start and stay in the foreground; Ctrl-C stops
  npm start -- --help  this text

Environment (all optional):
  PORT                     HTTP port of the gateway (8080)
  HOST                     IP address that it binds; 0.0.0.0 or :: opens it to other machines (127.0.0.1)
  WEIR_DATA_DIR            keeps databases, keys and logs (.weir)
  WEIR_REPLICAS            processes of each kind, 1 to 4 (1)
  DATABASE_URL             a PostgreSQL database of your own; its user may create roles and schemas
  NATS_URL                 a NATS server of your own, 2.9 or later with JetStream
  SANDBOX_NATS_URL         the same for the process that runs user code; also GATEWAY_NATS_URL and so on (NATS_URL)
  WEIR_NATS_SYNC_INTERVAL  how often the own broker forces writes to disk: "always" (server 2.10+) or e.g. 10s (2m)
  BOOTSTRAP_EMAIL, BOOTSTRAP_ACCESS_TOKEN        first account and its token (admin@example.com, generated)
  SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD     the admin pair (generated)
  EGRESS_ALLOW_CIDRS       private addresses that webhooks may reach; empty for none (127.0.0.0/8,::1/128)
  LOG_LEVEL                trace, debug, info, warn, error (warn)
  .env.example lists every setting.`;
