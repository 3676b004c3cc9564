// A Kafka broker for tests. Speaks the real protocol, keeps everything in memory, and ends when its standard input closes.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"

	"github.com/twmb/franz-go/pkg/kfake"
)

var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}

func main() {
	sasl := flag.Bool("sasl", false, "ask for user weir with password hush")
	flag.Parse()
	// Enough partitions that both brokers lead some.
	options := []kfake.Opt{kfake.NumBrokers(2), kfake.SeedTopics(24, "events", "payments")}
	if *sasl {
		options = append(options, kfake.EnableSASL(), kfake.ListenFn(listen))
		for _, mechanism := range mechanisms {
			options = append(options, kfake.Superuser(mechanism, "weir", "hush"))
		}
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()
	fmt.Println(cluster.ListenAddrs()[0])
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// Real brokers name their mechanisms in every handshake response. kfake names them only when it refuses.
func listen(network, address string) (net.Listener, error) {
	listener, err := net.Listen(network, address)
	return naming{listener}, err
}

type naming struct{ net.Listener }

func (n naming) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	return &namingConn{Conn: conn}, err
}

// The handshake is among the first responses of a connection.
const handshakeAnswers = 3

type namingConn struct {
	net.Conn
	answers int
}

// A handshake response holds its length, a correlation id, and six bytes for no error and no mechanisms.
func (c *namingConn) Write(answer []byte) (int, error) {
	c.answers++
	isHandshake := len(answer) == 14 && bytes.Equal(answer[8:], make([]byte, 6))
	if !isHandshake || c.answers > handshakeAnswers {
		return c.Conn.Write(answer)
	}
	named := binary.BigEndian.AppendUint32(bytes.Clone(answer[4:10]), uint32(len(mechanisms)))
	for _, mechanism := range mechanisms {
		named = binary.BigEndian.AppendUint16(named, uint16(len(mechanism)))
		named = append(named, mechanism...)
	}
	_, err := c.Conn.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(named))), named...))
	return len(answer), err
}
