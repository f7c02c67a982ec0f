extension Nginx {
    /// The servers, each with a port of its own.
    static let names = [
        "plain", "other", "good", "selfsigned", "expired", "wronghost", "tls12", "identity",
    ]

    /// The script that makes an authority, its certificates (for `localhost`, expired, for another host, for a client),
    /// and a self-signed certificate.
    static let certificates = """
        set -e
        key() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key; }
        signed() { # NAME SUBJECT ALTNAME START END
            key $1
            openssl req -new -key $1.key -subj "$2" -out $1.csr
            printf 'subjectAltName=%s\\n' "$3" >$1.ext
            openssl ca -batch -config ca.conf -in $1.csr -out $1.crt -startdate $4 -enddate $5 -extfile $1.ext -notext
        }
        printf '%s\\n' '[ca]' 'default_ca=d' '[d]' 'database=index' 'serial=serial' 'new_certs_dir=.' \\
            'private_key=ca.key' 'certificate=ca.crt' 'default_md=sha256' 'policy=p' 'unique_subject=no' \\
            '[p]' 'commonName=supplied' 'organizationName=optional' >ca.conf
        : >index; echo 01 >serial
        key ca
        openssl req -x509 -new -key ca.key -subj '/O=Example/CN=Test authority' -days 3650 -out ca.crt
        signed good /O=Example/CN=localhost DNS:localhost,IP:127.0.0.1 20200101000000Z 20350304050607Z
        signed expired /CN=localhost DNS:localhost 20200101000000Z 20200102000000Z
        signed wronghost /CN=elsewhere.example DNS:elsewhere.example 20200101000000Z 20350304050607Z
        signed client /CN=client DNS:client.example 20200101000000Z 20350304050607Z
        openssl ec -in client.key -aes128 -passout pass:secret -out client-locked.key
        key selfsigned
        openssl req -x509 -new -key selfsigned.key -subj /CN=localhost -addext subjectAltName=DNS:localhost \\
            -days 30 -out selfsigned.crt
        """

    /// The configuration of nginx; `port` returns the port of each server.
    func configuration(_ port: (String) throws -> Int) rethrows -> String {
        func secured(_ name: String, _ certificate: String, _ more: String = "") throws -> String {
            """
            server {
                listen 127.0.0.1:\(try port(name)) ssl http2;
                ssl_certificate \(certificate).crt;
                ssl_certificate_key \(certificate).key;
                \(more)
                location / { return 200 "$server_protocol $ssl_protocol $ssl_client_s_dn"; }
                location /pages/ { root \(folder); add_header X-Sent-Status $status; }
                location /insecure { return 302 http://localhost:\(try port("other"))/secret-path; }
                location /identity { return 302 https://localhost:\(try port("identity"))/; }
            }

            """
        }
        return """
            daemon off;
            master_process off;
            pid pid;
            events { worker_connections 512; }
            http {
            access_log off;
            default_type text/plain;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            ssl_protocols TLSv1.2 TLSv1.3;
            gzip on;
            gzip_types text/plain;
            gzip_min_length 100;
            server {
                listen 127.0.0.1:\(try port("plain"));
                listen unix:\(socket);
                location / { return 200 "$server_protocol"; }
                location /pages/ { root \(folder); add_header X-Sent-Status $status; }
                location /connection { return 200 "$connection $connection_requests"; }
                location /who { return 200 "$http_authorization"; }
                location /asked { return 200 "$request_method $request_uri $host $http_user_agent $content_length"; }
                location /private/ {
                    alias pages/;
                    auth_basic private;
                    auth_basic_user_file users;
                }
                location /busy { add_header Retry-After 1 always; return 503 "busy"; }
                location /later { add_header Retry-After "Fri, 31 Dec 2100 23:59:59 GMT" always; return 429 "later"; }
                location /problem { default_type application/problem+json; return 404 '{"title":"none"}'; }
                location /moved { return 301 /asked; }
                location /kept { return 308 /asked; }
                location /away { return 302 http://localhost:\(try port("other"))/; }
                location /loop { return 302 /loop; }
            }
            server {
                listen 127.0.0.1:\(try port("other"));
                location / { return 200 "elsewhere $http_authorization"; }
            }
            \(try secured("good", "good"))
            \(try secured("selfsigned", "selfsigned"))
            \(try secured("expired", "expired"))
            \(try secured("wronghost", "wronghost"))
            \(try secured("tls12", "good", "ssl_protocols TLSv1.2;"))
            \(try secured("identity", "good", "ssl_client_certificate ca.crt; ssl_verify_client on;"))
            }
            """
    }
}
