"""What stands between a client and the test server: TLS in front of it, or a proxy that asks for a name and a password.

relay.py tls CERTIFICATE KEY PORT   forwards what comes over TLS to that port of this machine
relay.py proxy USER:PASSWORD        tunnels for who knows these; prints a line for each CONNECT: status and target

Prints its own port first.
"""
import base64
import socket
import ssl
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def join(one, other):
    back = threading.Thread(target=pump, args=(other, one), daemon=True)
    back.start()
    pump(one, other)
    back.join()
    one.close()
    other.close()


def serve_tls(client, context, port):
    try:
        client = context.wrap_socket(client, server_side=True)
    except OSError:
        return
    join(client, socket.create_connection(("127.0.0.1", port)))


def head_of(client):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = client.recv(1)
        if not byte:
            return None
        head += byte
    return head.decode()


def serve_proxy(client, login):
    expected = "Basic " + base64.b64encode(login.encode()).decode()
    while (head := head_of(client)) is not None:
        first, *lines = head.split("\r\n")
        given = dict(line.split(": ", 1) for line in lines if ": " in line)
        method, target = first.split(" ")[:2]
        ok = method == "CONNECT" and given.get("Proxy-Authorization") == expected
        print(200 if ok else 407, target, flush=True)
        if not ok:
            client.sendall(b'HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n')
            continue
        host, port = target.rsplit(":", 1)
        other = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        join(client, other)
        return
    client.close()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    if sys.argv[1] == "tls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        serve, rest = serve_tls, (context, int(sys.argv[4]))
    else:
        serve, rest = serve_proxy, (sys.argv[2],)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, *rest), daemon=True).start()


main()
