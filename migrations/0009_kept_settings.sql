-- What owners set in the interface: it counts where neither the configuration file nor the environment sets the key.

create table kept_settings (
  key text primary key, -- as in the file: retention.mail_days
  value text, -- JSON, of a secret encrypted with the installation's key; null = back to the default
  updated_at text not null,
  updated_by text, -- JSON of the editor; null = it went back by itself
  confirm_until text, -- unless an owner confirms it by then, `before` counts again; null = it is confirmed
  before text -- in the form of `value`
){strict};
