/// The version of the daemon and its tools. deploy/debian/changelog carries the same.
package let version = "0.1.0"
