-- Sessions begin by an event; those that began before there was one end.
DELETE FROM hp.session;
