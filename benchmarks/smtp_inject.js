// Sends messages over a pool of nodemailer's: for smtp_inject.py, which says on standard input what to send.
const nodemailer = require("nodemailer");
const wish = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const rest = require("fs").readFileSync(wish.rest);
const pool = nodemailer.createTransport({
  pool: true, maxConnections: wish.connections, maxMessages: Infinity,
  host: "127.0.0.1", port: wish.port, secure: false, ignoreTLS: true,
});
const begun = process.hrtime.bigint();
const used = process.cpuUsage();
const sent = wish.heads.map(({ to, head }) =>
  pool.sendMail({ envelope: { from: wish.from, to }, raw: Buffer.concat([Buffer.from(head), rest]) }));
Promise.all(sent).then(() => {
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ wall: Number(process.hrtime.bigint() - begun) / 1e9, cpu: (user + system) / 1e6 }));
  pool.close();
});
